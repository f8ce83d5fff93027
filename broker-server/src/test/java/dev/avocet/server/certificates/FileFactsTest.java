package dev.avocet.server.certificates;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.tls.key.SelfSigned;
import dev.avocet.server.certificates.FileFacts.Kind;
import dev.avocet.testkit.TestAuthority;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileFactsTest {
    private static final Instant NOW = Instant.parse("2026-11-27T00:00:00Z");

    @TempDir
    private Path data;

    @Test
    void shouldTellOfCertificatesWhoseTheFirstIsAndWhenOneRunsOutFirst() throws Exception {
        // given
        SelfSigned longer = SelfSigned.of("broker.example", Duration.ofDays(100), NOW);
        SelfSigned shorter = SelfSigned.of("authority.example", Duration.ofDays(10), NOW);

        // when
        FileFacts facts = FileFacts.of((longer.certificate() + shorter.certificate()).getBytes(US_ASCII));

        // then
        assertThat(facts)
                .isEqualTo(new FileFacts(
                        Kind.CERTIFICATE,
                        2,
                        "CN=broker.example",
                        "CN=broker.example",
                        NOW.plus(Duration.ofDays(10)),
                        ""));
    }

    @Test
    void shouldTellACertificateInBytesOfDer() throws Exception {
        // given
        String pem = SelfSigned.of("broker.example", Duration.ofDays(10), NOW).certificate();
        byte[] der = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII)))
                .getEncoded();

        // then
        assertThat(FileFacts.of(der).kind()).isEqualTo(Kind.CERTIFICATE);
        assertThat(FileFacts.of(new byte[] {0x30, 1, 2}).kind()).isEqualTo(Kind.OTHER);
    }

    @Test
    void shouldTellHowManyAListRevokesAndWhenTheNextOneIsDue() throws Exception {
        // given
        TestAuthority authority = new TestAuthority("plant");
        Path file = data.resolve("list.crl");
        authority.writeRevocations(file, 1, 0, NOW.plus(Duration.ofDays(7)), authority.issue("meter-1"));

        // when
        FileFacts facts = FileFacts.of(Files.readAllBytes(file));

        // then
        assertThat(facts.kind()).isEqualTo(Kind.REVOCATION_LIST);
        assertThat(facts.count()).isEqualTo(1);
        assertThat(facts.issuer()).contains("plant");
        assertThat(facts.expiry()).isEqualTo(NOW.plus(Duration.ofDays(7)));
    }

    @Test
    void shouldTellNothingOfAKeyButThatItIsOne() throws Exception {
        // given
        String key = SelfSigned.of("broker.example", Duration.ofDays(10), NOW).key();

        // then
        assertThat(FileFacts.of(key.getBytes(US_ASCII))).isEqualTo(new FileFacts(Kind.KEY, 0, "", "", null, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "meter-1,0011223344aabb  | PRE_SHARED_KEYS | 1",
                "{\"keys\": []}          | KEY_SET         | 0",
                "meter-1,no hex          | OTHER           | 0",
                "anything                | OTHER           | 0"
            })
    void shouldTellWhatOtherFilesHold(String content, Kind kind, int count) {
        FileFacts facts = FileFacts.of(content.strip().getBytes(UTF_8));
        assertThat(facts.kind()).isEqualTo(kind);
        assertThat(facts.count()).isEqualTo(count);
    }

    @Test
    void shouldSayThatADamagedCertificateCannotBeRead() {
        FileFacts facts =
                FileFacts.of("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".getBytes(US_ASCII));
        assertThat(facts.kind()).isEqualTo(Kind.CERTIFICATE);
        assertThat(facts.problem()).startsWith("cannot be read");
    }

    @Test
    void shouldReadAFileAgainWhenItHasChangedAndSayWhenItIsGone() throws Exception {
        // given
        UploadedFiles files = UploadedFiles.of(data);
        KnownFiles known = new KnownFiles();
        files.put("a.pem", "anything".getBytes(US_ASCII));
        assertThat(known.of(files, files.all().get(0)).kind()).isEqualTo(Kind.OTHER);

        // when
        files.put("a.pem", SelfSigned.of("b", Duration.ofDays(1), NOW).key().getBytes(US_ASCII));

        // then
        UploadedFile present = files.all().get(0);
        assertThat(known.of(files, present).kind()).isEqualTo(Kind.KEY);

        // when: another administrator deletes it after it was listed
        Files.delete(data.resolve("files/a.pem"));
        known.keepOnly(List.of());

        // then
        assertThat(known.of(files, present).problem()).isEqualTo("cannot be read from the disk");
    }
}
