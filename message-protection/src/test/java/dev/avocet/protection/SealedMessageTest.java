package dev.avocet.protection;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.protection.ProtectionException.Reason;
import dev.avocet.protection.ProtectionTerms.Cipher;
import dev.avocet.protection.ProtectionTerms.Digest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SealedMessageTest {
    private static final String ORDERS = Sealer.queue("orders");
    private static final byte[] CONTENT = "two hundred pounds".getBytes(UTF_8);
    private static final String SENDER = "CN=till 7,O=Acme";
    private static final String RECEIVER = "CN=ledger,O=Acme";
    private static final String RSA_RECEIVER = "CN=archive,O=Acme";

    private static TestKeys keys;
    private static KeyRing sender;
    private static KeyRing rsaSender;
    private static KeyRing receiver;
    private static KeyRing rsaReceiver;
    private static KeyRing stranger;

    @BeforeAll
    static void makeKeys() throws Exception {
        keys = new TestKeys("CN=authority,O=Acme");
        TestKeys.Party till = keys.ec(SENDER);
        TestKeys.Party rsaTill = keys.rsa("CN=till 8,O=Acme");
        TestKeys.Party ledger = keys.ec(RECEIVER);
        TestKeys.Party archive = keys.rsa(RSA_RECEIVER);
        TestKeys.Party other = keys.ec("CN=other,O=Acme");
        sender = keys.ring(till);
        rsaSender = keys.ring(rsaTill);
        receiver = keys.ring(ledger);
        rsaReceiver = keys.ring(archive);
        stranger = keys.ring(other);
    }

    private static ProtectionTerms terms(ProtectionLevel level, String... signers) {
        return new ProtectionTerms(
                "payments",
                level,
                Digest.SHA512,
                Cipher.AES256_GCM,
                List.of(signers),
                level.encrypts() ? List.of(RECEIVER, RSA_RECEIVER) : List.of(),
                32,
                Duration.ofHours(1));
    }

    private static ProtectionTerms forLedger(ProtectionLevel level) {
        return new ProtectionTerms(
                "payments",
                level,
                Digest.SHA512,
                Cipher.AES256_GCM,
                List.of(),
                level.encrypts() ? List.of(RECEIVER) : List.of(),
                32,
                Duration.ofHours(1));
    }

    private static OpenedMessage open(KeyRing by, byte[] envelope, ProtectionTerms terms) throws ProtectionException {
        return new Opener(by).open(envelope, terms, ORDERS, new ReplayGuard(), false);
    }

    private static void assertRefused(Reason reason, ThrowingOpen open) {
        assertThatThrownBy(open::run)
                .isInstanceOfSatisfying(
                        ProtectionException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private interface ThrowingOpen {
        void run() throws Exception;
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGRITY,false,false",
        "INTEGRITY,true,false",
        "PRIVACY,false,false",
        "PRIVACY,true,true",
        "PRIVACY,false,true",
        "CONFIDENTIALITY,false,false",
        "CONFIDENTIALITY,true,true"
    })
    void shouldOpenWhatWasSealedWithEitherKindOfKey(ProtectionLevel level, boolean rsaSigner, boolean rsaRecipient)
            throws Exception {
        KeyRing from = rsaSigner ? rsaSender : sender;
        Sealer sealer = new Sealer(from, terms(level), ORDERS);

        byte[] first = sealer.seal("text", CONTENT);
        byte[] second = sealer.seal("text", CONTENT);

        Opener opener = new Opener(rsaRecipient ? rsaReceiver : receiver);
        ReplayGuard guard = new ReplayGuard();
        OpenedMessage opened = opener.open(first, terms(level), ORDERS, guard, false);
        assertThat(opened.content()).isEqualTo(CONTENT);
        assertThat(opened.kind()).isEqualTo("text");
        assertThat(opened.sender()).isEqualTo(from.subject());
        assertThat(opened.sequence()).isEqualTo(1);
        assertThat(opener.open(second, terms(level), ORDERS, guard, false).sequence())
                .isEqualTo(2);
        assertThat(Opener.isSealed(first)).isTrue();
        assertThat(Opener.levelOf(first)).isEqualTo(level);
        assertThat(contains(first, CONTENT)).isEqualTo(level == ProtectionLevel.INTEGRITY);
    }

    private static boolean contains(byte[] whole, byte[] part) {
        for (int i = 0; i + part.length <= whole.length; i++) {
            if (Arrays.equals(whole, i, i + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Each byte is changed in turn: no change passes as another message. What CMS itself leaves open, such as the order
     * of certificates, may pass as the same one.
     */
    @ParameterizedTest
    @EnumSource(ProtectionLevel.class)
    void shouldRefuseAMessageThatWasChangedAnywhere(ProtectionLevel level) throws Exception {
        ProtectionTerms forOne = forLedger(level);
        byte[] envelope = new Sealer(sender, forOne, ORDERS).seal("text", CONTENT);
        Opener opener = new Opener(receiver);
        int refused = 0;

        for (int i = 0; i < envelope.length; i++) {
            byte[] changed = envelope.clone();
            changed[i] ^= 0x01;
            try {
                OpenedMessage opened = opener.open(changed, forOne, ORDERS, new ReplayGuard(), false);
                assertThat(opened.content()).isEqualTo(CONTENT);
                assertThat(opened.sender()).isEqualTo(SENDER);
                assertThat(opened.sequence()).isEqualTo(1);
            } catch (ProtectionException e) {
                refused++;
            }
        }

        assertThat(refused).as("of %s bytes", envelope.length).isGreaterThan(envelope.length * 9 / 10);
    }

    @ParameterizedTest
    @EnumSource(ProtectionLevel.class)
    void shouldRefuseAMessageThatWasCutAnywhere(ProtectionLevel level) throws Exception {
        byte[] envelope = new Sealer(sender, terms(level), ORDERS).seal("text", CONTENT);
        Opener opener = new Opener(receiver);

        for (int length = 0; length < envelope.length; length++) {
            byte[] cut = Arrays.copyOf(envelope, length);
            assertThatThrownBy(() -> opener.open(cut, terms(level), ORDERS, new ReplayGuard(), false))
                    .isInstanceOf(ProtectionException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(ProtectionLevel.class)
    void shouldRefuseAMessageWithMoreBehindIt(ProtectionLevel level) throws Exception {
        byte[] envelope = new Sealer(sender, terms(level), ORDERS).seal("text", CONTENT);
        Opener opener = new Opener(receiver);

        for (int more = 1; more <= 3; more++) {
            byte[] longer = Arrays.copyOf(envelope, envelope.length + more);
            assertThatThrownBy(() -> opener.open(longer, terms(level), ORDERS, new ReplayGuard(), false))
                    .isInstanceOf(ProtectionException.class);
        }
    }

    @Test
    void shouldRefuseWhatIsNotSealed() {
        assertRefused(
                Reason.NOT_SEALED, () -> open(receiver, "plain text".getBytes(UTF_8), terms(ProtectionLevel.PRIVACY)));
    }

    @Test
    void shouldRefuseALowerLevelThanThePolicyAsksFor() throws Exception {
        byte[] signed = new Sealer(sender, terms(ProtectionLevel.INTEGRITY), ORDERS).seal("text", CONTENT);

        assertRefused(Reason.WRONG_LEVEL, () -> open(receiver, signed, terms(ProtectionLevel.PRIVACY)));
    }

    @Test
    void shouldRefuseAnotherDigestThanThePolicyAsksFor() throws Exception {
        ProtectionTerms weak = new ProtectionTerms(
                "payments",
                ProtectionLevel.INTEGRITY,
                Digest.SHA256,
                Cipher.AES256_GCM,
                List.of(),
                List.of(),
                1,
                Duration.ofHours(1));
        byte[] envelope = new Sealer(sender, weak, ORDERS).seal("text", CONTENT);

        assertRefused(Reason.WRONG_ALGORITHM, () -> open(receiver, envelope, terms(ProtectionLevel.INTEGRITY)));
    }

    @Test
    void shouldRefuseASignerThatThePolicyDoesNotName() throws Exception {
        byte[] envelope = new Sealer(stranger, terms(ProtectionLevel.PRIVACY), ORDERS).seal("text", CONTENT);

        assertRefused(
                Reason.WRONG_SIGNER,
                () -> open(receiver, envelope, terms(ProtectionLevel.PRIVACY, "CN=till 6,O=Acme")));
    }

    @Test
    void shouldSealNothingThatThePolicyDoesNotLetThisKeySign() {
        assertRefused(Reason.WRONG_SIGNER, () -> new Sealer(sender, terms(ProtectionLevel.PRIVACY, RECEIVER), ORDERS));
    }

    @Test
    void shouldTakeASignerThatThePolicyNamesInOtherSpelling() throws Exception {
        byte[] envelope = new Sealer(sender, terms(ProtectionLevel.PRIVACY), ORDERS).seal("text", CONTENT);

        OpenedMessage opened = open(receiver, envelope, terms(ProtectionLevel.PRIVACY, "cn=Till  7, o=ACME"));

        assertThat(opened.sender()).isEqualTo(SENDER);
    }

    @Test
    void shouldRefuseASignerOfAnotherAuthority() throws Exception {
        TestKeys foreign = new TestKeys("CN=authority,O=Acme");
        KeyRing impostor = foreign.ring(foreign.ec(SENDER));
        byte[] envelope = new Sealer(impostor, terms(ProtectionLevel.INTEGRITY), ORDERS).seal("text", CONTENT);

        assertRefused(
                Reason.UNTRUSTED_SIGNER, () -> open(receiver, envelope, terms(ProtectionLevel.INTEGRITY, SENDER)));
    }

    @Test
    void shouldRefuseASignerWhoseCertificateHasExpired() throws Exception {
        TestKeys.Party old = keys.issue("CN=till 1,O=Acme", TestKeys.pair("EC", 256), Duration.ofHours(1));
        byte[] envelope = new Sealer(keys.ring(old), terms(ProtectionLevel.INTEGRITY), ORDERS).seal("text", CONTENT);
        Clock later = Clock.fixed(Instant.now().plus(Duration.ofHours(2)), ZoneOffset.UTC);

        assertRefused(
                Reason.EXPIRED_CERTIFICATE,
                () -> new Opener(receiver, later)
                        .open(envelope, terms(ProtectionLevel.INTEGRITY), ORDERS, new ReplayGuard(), false));
    }

    @ParameterizedTest
    @EnumSource(
            value = ProtectionLevel.class,
            names = {"PRIVACY", "CONFIDENTIALITY"})
    void shouldOpenNothingForAnother(ProtectionLevel level) throws Exception {
        byte[] envelope = new Sealer(sender, terms(level), ORDERS).seal("text", CONTENT);

        assertRefused(Reason.NOT_A_RECIPIENT, () -> open(stranger, envelope, terms(level)));
    }

    @ParameterizedTest
    @EnumSource(ProtectionLevel.class)
    void shouldRefuseAMessageForAnotherDestination(ProtectionLevel level) throws Exception {
        byte[] envelope = new Sealer(sender, terms(level), Sealer.queue("refunds")).seal("text", CONTENT);

        assertRefused(Reason.WRONG_DESTINATION, () -> open(receiver, envelope, terms(level)));
    }

    @ParameterizedTest
    @EnumSource(ProtectionLevel.class)
    void shouldRefuseACopyAndTakeARedelivery(ProtectionLevel level) throws Exception {
        byte[] envelope = new Sealer(sender, terms(level), ORDERS).seal("text", CONTENT);
        Opener opener = new Opener(receiver);
        ReplayGuard guard = new ReplayGuard();
        opener.open(envelope, terms(level), ORDERS, guard, false);

        assertRefused(Reason.REPLAYED, () -> opener.open(envelope, terms(level), ORDERS, guard, false));
        assertThat(opener.open(envelope, terms(level), ORDERS, guard, true).content())
                .isEqualTo(CONTENT);
    }

    /** A recipient knows the key, and could put content of its own beside the binding of another message. */
    @Test
    void shouldRefuseAKeyThatIsUsedForMoreMessagesThanItWasMadeFor() throws Exception {
        ContentKey key = new ContentKey(ConfidentialPart.key(new byte[32]), ORDERS, SENDER, new StreamId(1, 2), 1, 2);
        Binding third = new Binding(ORDERS, SENDER, new StreamId(1, 2), 3, 0, "text");
        Binding elsewhere = new Binding(Sealer.queue("refunds"), SENDER, new StreamId(1, 2), 1, 0, "text");

        assertRefused(Reason.TAMPERED, () -> key.check(third));
        assertRefused(Reason.TAMPERED, () -> key.check(elsewhere));
        key.check(new Binding(ORDERS, SENDER, new StreamId(1, 2), 2, 0, "text"));
    }

    @Test
    void shouldUseAKeyForAsManyMessagesAndAsLongAsTheTermsSay() throws Exception {
        ProtectionTerms two = new ProtectionTerms(
                "payments",
                ProtectionLevel.CONFIDENTIALITY,
                Digest.SHA512,
                Cipher.AES128_GCM,
                List.of(),
                List.of(RECEIVER),
                2,
                Duration.ofSeconds(10));
        Instant[] now = {Instant.now()};
        Clock clock = new Clock() {
            @Override
            public java.time.ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now[0];
            }
        };
        Sealer sealer = new Sealer(sender, two, ORDERS, clock);

        byte[] first = keyBlock(sealer.seal("text", CONTENT));
        byte[] second = keyBlock(sealer.seal("text", CONTENT));
        byte[] third = keyBlock(sealer.seal("text", CONTENT));
        now[0] = now[0].plusSeconds(10);
        byte[] fourth = keyBlock(sealer.seal("text", CONTENT));

        assertThat(second).isEqualTo(first);
        assertThat(third).isNotEqualTo(second);
        assertThat(fourth).isNotEqualTo(third);
    }

    private static byte[] keyBlock(byte[] envelope) throws ProtectionException {
        return ConfidentialPart.parse(envelope).keyBlock();
    }

    @Test
    void shouldSayWhichKeyIsMissing() {
        ProtectionTerms unknown = new ProtectionTerms(
                "payments",
                ProtectionLevel.PRIVACY,
                Digest.SHA512,
                Cipher.AES256_GCM,
                List.of(),
                List.of("CN=nowhere,O=Acme"),
                1,
                Duration.ofHours(1));

        assertThatThrownBy(() -> new Sealer(sender, unknown, ORDERS))
                .hasMessage("there is no certificate of recipient 'CN=nowhere,O=Acme'; import it into the key store or"
                        + " the trust store");
        assertThatThrownBy(() -> new Sealer(
                        new KeyRing(null, List.of(), List.of(), List.of()), terms(ProtectionLevel.INTEGRITY), ORDERS))
                .hasMessage("the key store has no private key with a certificate, and protection policy payments"
                        + " (Integrity) needs one");
    }
}
