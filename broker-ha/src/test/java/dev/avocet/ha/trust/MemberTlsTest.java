package dev.avocet.ha.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@InTurn
final class MemberTlsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final String ANY_KEY = "UNKNOWN";
    private static final SystemClock CLOCK = new SystemClock();

    @TempDir
    private Path directory;

    private final TestAuthority authority = new TestAuthority("pair");

    @Test
    void shouldNeedNothingWithoutSecretAndCertificates() throws Exception {
        assertThat(MemberTls.open(Credentials.NONE, names("a"), CLOCK)).isNull();
    }

    @Test
    void shouldTakeThoseWhoHaveMadeTheirCertificateOfTheSameSecret() throws Exception {
        try (MemberTls a = bySecret("of all", "a");
                MemberTls b = bySecret("of all", "b");
                MemberTls stranger = bySecret("of all?", "b")) {
            a.trustingAll().checkServerTrusted(shownBy(b), ANY_KEY);
            a.trusting(Set.of("b")).checkClientTrusted(shownBy(b), ANY_KEY);

            assertThatThrownBy(() -> a.trusting(Set.of("z")).checkClientTrusted(shownBy(b), ANY_KEY))
                    .hasMessage("is node b and not z: check the names and the addresses of the members on both");
            assertThatThrownBy(() -> a.trustingAll().checkServerTrusted(shownBy(stranger), ANY_KEY))
                    .isInstanceOf(NoMemberException.class)
                    .hasMessageStartingWith("does not know the secret of group pair");
            assertThat(a.expiry()).isNull();
        }
    }

    @Test
    void shouldSayWhatItMeansThatTheOtherEndCannotBeUnderstood() throws Exception {
        try (MemberTls a = bySecret("of all", "a")) {
            NoMemberException explained = a.explain(new SSLProtocolException(
                    "Insufficient buffer remaining for AEAD cipher fragment (2). Needs to be more than tag size (16)"));

            assertThat(explained.kind()).isEqualTo(NoMemberException.Kind.REFUSES);
            assertThat(explained)
                    .hasMessage(
                            "has ended the TLS handshake with a word that cannot be decrypted: it does not take this"
                                    + " node for a member of group pair, or is not one itself: give all members the same secret"
                                    + " file; its log says more");
        }
    }

    @Test
    void shouldKnowARefusalInTheWordsOfEachLibrary() throws Exception {
        try (MemberTls a = bySecret("of all", "a")) {
            for (String said : List.of(
                    "Received fatal alert: certificate_unknown",
                    "org.bouncycastle.tls.TlsFatalAlertReceived: certificate_unknown")) {
                NoMemberException explained = a.explain(new SSLException(said));

                assertThat(explained.kind()).isEqualTo(NoMemberException.Kind.REFUSES);
                assertThat(explained)
                        .hasMessage("does not take this node for a member of group pair (certificate_unknown): give all"
                                + " members the same secret file; its log says more");
            }
        }
    }

    @Test
    void shouldTellASecretFromACertificate() throws Exception {
        Credentials.Files files = write("b", authority, inDays(100));
        try (MemberTls a = bySecret("of all", "a");
                MemberTls b = MemberTls.open(new Credentials(PairSecret.NONE, files), names("b"), CLOCK)) {
            assertThatThrownBy(() -> a.trustingAll().checkServerTrusted(shownBy(b), ANY_KEY))
                    .hasMessage("shows the certificate of 'CN=b,O=Avocet', and this node has a secret alone: give"
                            + " certificates to all members, or to none");
        }
    }

    @Test
    void shouldTakeACertificateThatIsTrustedByItselfWhateverItsHost() throws Exception {
        // given a file of trust with the other member's own certificate
        TestAuthority.Issued other = new TestAuthority("other").issue("other");
        Credentials.Files files = write("a", authority, inDays(100));
        other.writeCertificate(files.trust());
        GroupNames elsewhere = new GroupNames("pair", "a", Map.of("a", "10.0.0.1", "b", "10.0.0.2"));

        try (MemberTls a = MemberTls.open(new Credentials(PairSecret.NONE, files), elsewhere, CLOCK)) {
            a.trustingAll().checkServerTrusted(new X509Certificate[] {other.certificate()}, ANY_KEY);
        }
    }

    @Test
    void shouldReadFilesAgainThatWereReplacedAndKeepWhatItHasWhenTheyAreBad() throws Exception {
        Credentials.Files files = write("a", authority, inDays(10));
        try (MemberTls a = MemberTls.open(new Credentials(PairSecret.NONE, files), names("a"), CLOCK, LOOK)) {
            X509Certificate first = shownBy(a)[0];
            String begun = a.keys().chooseEngineServerAlias("EC", null, null);

            // when another authority takes over
            TestAuthority next = new TestAuthority("next");
            Credentials.Files fresh = write("b", next, inDays(200));
            replace(fresh.certificate(), files.certificate());
            replace(fresh.key(), files.key());
            replace(fresh.trust(), files.trust());

            // then it is shown and trusted, and a handshake that has begun goes on as it was
            await().atMost(PATIENCE).until(() -> !shownBy(a)[0].equals(first));
            assertThat(a.expiry()).isEqualTo(shownBy(a)[0].getNotAfter().toInstant());
            a.trustingAll()
                    .checkServerTrusted(new X509Certificate[] {next.issue("b").certificate()}, ANY_KEY);
            assertThat(a.keys().getCertificateChain(begun)[0]).isEqualTo(first);

            // when the next ones are no certificates
            X509Certificate second = shownBy(a)[0];
            replace(Files.writeString(directory.resolve("junk"), "junk"), files.certificate());
            replace(Files.writeString(directory.resolve("junk"), "more junk"), files.key());

            // then nothing changes until they are mended
            Credentials.Files third = write("b", next, inDays(300));
            replace(third.key(), files.key());
            replace(third.certificate(), files.certificate());
            await().atMost(PATIENCE).until(() -> expiry(shownBy(a)[0]).isAfter(expiry(second)));
        }
    }

    @Test
    void shouldShowItsCertificateToALibraryThatNamesTheCurve() throws Exception {
        Credentials.Files files = write("a", authority, inDays(10));
        try (MemberTls a = MemberTls.open(new Credentials(PairSecret.NONE, files), names("a"), CLOCK)) {
            assertThat(a.keys().chooseEngineServerAlias("EC/secp256r1", null, null))
                    .isNotNull();
            assertThat(a.keys().chooseEngineServerAlias("EC/secp384r1", null, null))
                    .isNull();
            assertThat(a.keys().chooseEngineClientAlias(new String[] {"RSA", "EC/secp256r1"}, null, null))
                    .isNotNull();
        }
    }

    @Test
    void shouldRefuseAKeyOfAnotherCertificate() {
        Credentials.Files files = write("a", authority, inDays(10));
        Credentials.Files other = write("b", authority, inDays(10));
        Credentials mixed = new Credentials(
                PairSecret.NONE, new Credentials.Files(files.certificate(), other.key(), files.trust()));

        assertThatThrownBy(() -> MemberTls.open(mixed, names("a"), CLOCK))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("does not belong to the first certificate");
    }

    private static Instant expiry(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    private static void replace(Path from, Path to) throws Exception {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private static X509Certificate[] shownBy(MemberTls member) {
        String alias = member.keys().chooseEngineServerAlias("EC", null, null);
        assertThat(alias).isNotNull();
        return member.keys().getCertificateChain(alias);
    }

    private static MemberTls bySecret(String secret, String self) throws TlsException {
        return MemberTls.open(
                Credentials.of(PairSecret.of(secret.getBytes(StandardCharsets.US_ASCII))), names(self), CLOCK);
    }

    private static GroupNames names(String self) {
        return new GroupNames("pair", self, Map.of("a", "127.0.0.1", "b", "localhost"));
    }

    private static Instant inDays(int days) {
        return Instant.ofEpochMilli(CLOCK.wallTimeMs()).plus(Duration.ofDays(days));
    }

    private Credentials.Files write(String name, TestAuthority issuer, Instant expiry) {
        TestAuthority.Issued issued = issuer.issue(name, expiry);
        return new Credentials.Files(
                issued.writeCertificate(directory.resolve(name + ".pem")),
                issued.writeKey(directory.resolve(name + ".key")),
                issuer.writeTo(directory.resolve(name + ".ca")));
    }
}
