package dev.avocet.core.tls.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.security.CertificateField;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.testkit.TestAuthority;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates of clients that no authority should have made, and which users good ones stand for. */
class ClientVerifierTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Clients CA");

    @Test
    void shouldRefuseChainsThatAreTooLong() throws TlsException {
        ClientVerifier verifier = verifier();
        X509Certificate good = AUTHORITY.issue("device").certificate();

        assertThatCode(() -> check(verifier, good)).doesNotThrowAnyException();
        assertThatCode(() -> check(verifier, Collections.nCopies(9, good).toArray(X509Certificate[]::new)))
                .doesNotThrowAnyException();
        for (int length : new int[] {10, 100}) {
            assertThatThrownBy(() ->
                            check(verifier, Collections.nCopies(length, good).toArray(X509Certificate[]::new)))
                    .isInstanceOf(CertificateException.class)
                    .hasMessageContaining("the client shows more certificates than the 9 that are allowed");
        }
    }

    @Test
    void shouldRefuseSubjectsThatAreTooLong() throws TlsException {
        X509Certificate huge = AUTHORITY.issue("x".repeat(64 << 10)).certificate();

        assertThatThrownBy(() -> check(verifier(), huge)).hasMessageContaining("bytes; 8192 are allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\n"})
    void shouldRefuseNamesWithControlCharacters(String character) throws TlsException {
        X509Certificate odd = AUTHORITY.issue("admin" + character + "device").certificate();

        assertThatThrownBy(() -> check(verifier(), odd)).hasMessageContaining("holds a control character");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "COMMON_NAME,'',device-7",
                "COMMON_NAME,device-(.*),7",
                "COMMON_NAME,device,-",
                "SUBJECT,'CN=([^,]+),O=Avocet',device-7",
                "DNS_NAME,'',localhost",
                "DNS_NAME,(local).*,local",
                "EMAIL,'',-",
                "URI,.*,-"
            })
    void shouldFindTheUserInTheWantedPart(CertificateField field, String pattern, String user) {
        X509Certificate certificate = AUTHORITY.issue("device-7").certificate();

        assertThat(new CertificateUser(field, pattern).of(certificate)).isEqualTo(user);
    }

    private static void check(ClientVerifier verifier, X509Certificate... chain) throws CertificateException {
        verifier.checkClientTrusted(chain, "EC");
    }

    private static ClientVerifier verifier() throws TlsException {
        return ClientVerifier.of(List.of(AUTHORITY.certificate()), List.of());
    }
}
