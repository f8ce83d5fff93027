package dev.avocet.core.tls.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestResponder;
import dev.avocet.testkit.TestResponder.Behavior;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Asking OCSP responders, and which of their answers count. */
class OcspClientTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Clients CA");
    private static final TestResponder RESPONDER = new TestResponder(AUTHORITY);
    private static final Issued DEVICE = AUTHORITY.issue("device", RESPONDER.url());
    private static final OcspQuestion QUESTION = new OcspQuestion(DEVICE.certificate(), AUTHORITY.certificate());
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @AfterAll
    static void close() {
        RESPONDER.close();
    }

    @BeforeEach
    void behave() {
        RESPONDER.behave(Behavior.USUAL);
    }

    @Test
    void shouldAskTheResponderThatACertificateNames() {
        assertThat(QUESTION.responder()).isEqualTo(RESPONDER.url());
        assertThat(new OcspQuestion(AUTHORITY.issue("mute").certificate(), AUTHORITY.certificate()).responder())
                .isNull();
        assertThat(new OcspQuestion(
                                AUTHORITY
                                        .issue("local", URI.create("file:///etc/passwd"))
                                        .certificate(),
                                AUTHORITY.certificate())
                        .responder())
                .isNull();
    }

    @Test
    void shouldTellWhatTheResponderSays() throws TlsException {
        Issued revoked = AUTHORITY.issue("revoked");
        Issued forgotten = AUTHORITY.issue("forgotten");
        RESPONDER.revoke(revoked);
        RESPONDER.forget(forgotten);

        assertThat(ask(DEVICE).status()).isEqualTo(OcspAnswer.Status.GOOD);
        assertThat(ask(revoked).status()).isEqualTo(OcspAnswer.Status.REVOKED);
        assertThat(ask(forgotten).status()).isEqualTo(OcspAnswer.Status.UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource(
            value = Behavior.class,
            names = {"DELEGATED", "WITHOUT_NONCE"})
    void shouldTakeAnswersThatCount(Behavior behavior) throws TlsException {
        RESPONDER.behave(behavior);

        assertThat(ask(DEVICE).status()).isEqualTo(OcspAnswer.Status.GOOD);
    }

    @ParameterizedTest
    @CsvSource({
        "MALFORMED,not an OCSP answer",
        "HUGE,larger than 64 KiB",
        "FAILING,answers 500",
        "TRY_LATER,asked later",
        "STALE,is over since",
        "OF_THE_FUTURE,of the future",
        "OTHER_CERTIFICATE,about another certificate",
        "OTHER_NONCE,another nonce",
        "WRONG_SIGNER,has signed the answer",
        "DELEGATE_WITHOUT_RIGHT,OCSPSigning",
        "EXPIRED_DELEGATE,OCSPSigning",
        "DELEGATE_OF_STRANGER,OCSPSigning"
    })
    void shouldRefuseAnswersThatDoNotCountAndSayWhy(Behavior behavior, String reason) {
        RESPONDER.behave(behavior);

        assertThatThrownBy(() -> ask(DEVICE))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining(RESPONDER.url().toString());
    }

    @Test
    void shouldNotWaitLongerThanItMay() {
        RESPONDER.behave(Behavior.SILENT);

        assertThatThrownBy(() -> new OcspClient(OcspOptions.Nonce.OPTIONAL, new SystemClock())
                        .ask(QUESTION, RESPONDER.url(), Duration.ofMillis(200)))
                .hasMessageContaining("does not answer in time");
    }

    @Test
    void shouldInsistOnANonceWhereThatIsWanted() throws TlsException {
        OcspClient strict = new OcspClient(OcspOptions.Nonce.REQUIRED, new SystemClock());
        assertThat(strict.ask(QUESTION, RESPONDER.url(), PATIENCE).status()).isEqualTo(OcspAnswer.Status.GOOD);

        RESPONDER.behave(Behavior.WITHOUT_NONCE);

        assertThatThrownBy(() -> strict.ask(QUESTION, RESPONDER.url(), PATIENCE))
                .hasMessageContaining("has no nonce");
    }

    private static OcspAnswer ask(Issued about) throws TlsException {
        return new OcspClient(OcspOptions.Nonce.OPTIONAL, new SystemClock())
                .ask(new OcspQuestion(about.certificate(), AUTHORITY.certificate()), RESPONDER.url(), PATIENCE);
    }
}
