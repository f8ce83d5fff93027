package dev.avocet.core.tls.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelfSignedTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);

    /** The numbers are those of [RFC 5280, 4.2.1.6]: 2 is a name, 7 an address. */
    @ParameterizedTest
    @CsvSource({
        "broker.example.org, 2, broker.example.org",
        "192.0.2.7, 7, 192.0.2.7",
        "2001:db8::7, 7, 2001:db8:0:0:0:0:0:7"
    })
    void shouldBeGoodForItsHostAndForThisMachine(String host, int kind, String name) throws Exception {
        X509Certificate certificate = certificate(SelfSigned.of(host, YEAR, NOW));

        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactly(
                        List.of(kind, name),
                        List.of(2, "localhost"),
                        List.of(7, "127.0.0.1"),
                        List.of(7, "0:0:0:0:0:0:0:1"));
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=" + host);
    }

    @Test
    void shouldBeGoodForAsLongAsItIsTold() throws Exception {
        X509Certificate certificate = certificate(SelfSigned.of("broker", YEAR, NOW));

        assertThat(certificate.getNotAfter()).isEqualTo(NOW.plus(YEAR));
        assertThat(certificate.getNotBefore()).isBefore(NOW);
    }

    @Test
    void shouldVouchForItselfAndHaveItsKey() throws Exception {
        SelfSigned made = SelfSigned.of("broker", YEAR, NOW);
        X509Certificate certificate = certificate(made);
        certificate.verify(certificate.getPublicKey());
        byte[] text = {1, 2, 3};

        Signature signing = Signature.getInstance("SHA256withECDSA");
        signing.initSign(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes(made.key()))));
        signing.update(text);
        Signature checking = Signature.getInstance("SHA256withECDSA");
        checking.initVerify(certificate);
        checking.update(text);

        assertThat(checking.verify(signing.sign())).isTrue();
        assertThat(made.toString()).doesNotContain("KEY");
    }

    private static X509Certificate certificate(SelfSigned made) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(made.certificate().getBytes(StandardCharsets.US_ASCII)));
    }

    private static byte[] bytes(String pem) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    }
}
