package dev.avocet.protection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.protection.ProtectionTerms.Cipher;
import dev.avocet.protection.ProtectionTerms.Digest;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Envelopes of format version 1, sealed once and kept with the receiver's key store: a client of any later version must
 * open them, as it meets senders of this one. {@code -Davocet.writeSamples=true} makes them where there are none; they
 * are never made anew.
 */
class KeptEnvelopesTest {
    private static final Path KEPT = Path.of("src", "test", "resources", "kept-envelopes", "v1");
    private static final int VERSION_AT = 4;
    private static final char[] PASSWORD = "kept-envelopes".toCharArray();
    private static final Duration VALID_FOR = Duration.ofDays(365 * 80);
    private static final String DESTINATION = Sealer.topic("meters/7");
    private static final String SENDER = "CN=meter 7,O=Acme";
    private static final String RECEIVER = "CN=billing,O=Acme";
    private static final byte[] CONTENT = "{\"kWh\":21.5}".getBytes(UTF_8);

    @ParameterizedTest
    @EnumSource(ProtectionLevel.class)
    void shouldOpenWhatTheFirstVersionHasSealed(ProtectionLevel level) throws Exception {
        // given
        if (Boolean.getBoolean("avocet.writeSamples") && Files.notExists(KEPT)) {
            write();
        }
        KeyRing receiver = KeyRing.load(KEPT.resolve("billing.p12"), PASSWORD, null, null, PASSWORD);

        // when
        OpenedMessage opened = new Opener(receiver)
                .open(Files.readAllBytes(envelope(level)), terms(level), DESTINATION, new ReplayGuard(), false);

        // then
        assertThat(opened.content()).isEqualTo(CONTENT);
        assertThat(opened.kind()).isEqualTo("bytes");
        assertThat(opened.sequence()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(ProtectionLevel.class)
    void shouldNameTheVersionOfAnEnvelopeThatIsNewerThanThisLibrary(ProtectionLevel level) throws Exception {
        // given what a client of a later version may send: the same head, and anything behind it
        KeyRing receiver = KeyRing.load(KEPT.resolve("billing.p12"), PASSWORD, null, null, PASSWORD);
        ReplayGuard guard = new ReplayGuard();
        for (int version : new int[] {2, 255}) {
            byte[] other = Files.readAllBytes(envelope(level));
            other[VERSION_AT] = (byte) version;

            // then it is told from what is not sealed, and from what is damaged
            assertThat(Envelope.isSealed(other)).isTrue();
            assertThatThrownBy(() -> new Opener(receiver).open(other, terms(level), DESTINATION, guard, false))
                    .isInstanceOfSatisfying(
                            ProtectionException.class,
                            e -> assertThat(e.reason()).isEqualTo(ProtectionException.Reason.MALFORMED))
                    .hasMessage("the envelope has format version " + version
                            + ", and this library reads version 1; a newer library reads it");
        }
    }

    private static ProtectionTerms terms(ProtectionLevel level) {
        return new ProtectionTerms(
                "meters",
                level,
                Digest.SHA512,
                Cipher.AES256_GCM,
                level.signs() ? List.of(SENDER) : List.of(),
                level.encrypts() ? List.of(RECEIVER) : List.of(),
                32,
                Duration.ofHours(1));
    }

    private static Path envelope(ProtectionLevel level) {
        return KEPT.resolve(level.name().toLowerCase(Locale.ROOT) + ".sealed");
    }

    private static void write() throws Exception {
        TestKeys keys = new TestKeys("CN=authority,O=Acme", VALID_FOR);
        TestKeys.Party sender = keys.issue(SENDER, TestKeys.pair("EC", 256), VALID_FOR);
        TestKeys.Party receiver = keys.issue(RECEIVER, TestKeys.pair("EC", 256), VALID_FOR);
        Files.createDirectories(KEPT);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "billing", receiver.pair().getPrivate(), PASSWORD, new Certificate[] {receiver.certificate()});
        store.setCertificateEntry("authority", keys.authority());
        try (OutputStream out = Files.newOutputStream(KEPT.resolve("billing.p12"))) {
            store.store(out, PASSWORD);
        }
        KeyRing from = keys.ring(sender);
        for (ProtectionLevel level : ProtectionLevel.values()) {
            Files.write(envelope(level), new Sealer(from, terms(level), DESTINATION).seal("bytes", CONTENT));
        }
    }
}
