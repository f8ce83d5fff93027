package dev.avocet.jms.client.wire.login;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.wire.route.WireException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import javax.security.sasl.SaslException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.sasl.SaslClientContext;
import org.apache.qpid.protonj2.engine.sasl.SaslClientListener;
import org.apache.qpid.protonj2.engine.sasl.SaslOutcome;
import org.apache.qpid.protonj2.engine.sasl.client.Mechanism;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of the SASL dialogue [AMQP 1.0 part 5, 5.3]. It believes an outcome only when the mechanism has had
 * what it needs: the last message of SCRAM, in which the server proves that it knows the password [RFC 5802 section 3],
 * comes as a challenge or as the additional data of the outcome. ProtonJ2's own {@code SaslAuthenticator} drops these
 * data.
 *
 * <p>One for each line, owned by its event loop.
 */
public final class LoginDialogue implements SaslClientListener {
    private static final Symbol ANONYMOUS = Symbol.valueOf("ANONYMOUS");

    private final Login login;
    private final Address server;
    private final Runnable succeeded;
    private @Nullable Mechanism mechanism;
    private @Nullable WireException failure;

    /** @param succeeded called within the engine's handling of the outcome */
    public LoginDialogue(final Login login, final Address server, final Runnable succeeded) {
        this.login = login;
        this.server = server;
        this.succeeded = succeeded;
    }

    /** Why the login has failed; null while it has not. */
    public @Nullable WireException failure() {
        return failure;
    }

    /** Why the login does not count, for a client that was let in only to hear where to go; null where it does. */
    public @Nullable WireException pretence() {
        return login.passesBy() ? new WireException(WireException.NOT_AUTHENTICATED, noneFits(ANONYMOUS)) : null;
    }

    private String noneFits(final Symbol... offered) {
        return "no SASL mechanism fits: " + server + " offers " + Arrays.toString(offered) + ", and " + login.offers();
    }

    /** Who logs in and how, as far as that is settled. */
    public String who() {
        final Mechanism chosen = mechanism;
        final String how = chosen == null ? "no SASL mechanism chosen" : "SASL mechanism " + chosen.getName();
        return login.username().isEmpty() ? how : how + ", user '" + login.username() + "'";
    }

    @Override
    public void handleSaslMechanisms(final SaslClientContext context, final Symbol @Nullable [] offered) {
        final Symbol[] all = offered == null ? new Symbol[0] : offered;
        final Mechanism chosen = login.select(all, login);
        if (chosen == null) {
            fail(context, noneFits(all), null);
            return;
        }
        mechanism = chosen;
        final ProtonBuffer first;
        try {
            first = chosen.getInitialResponse(login);
        } catch (final SaslException | RuntimeException e) {
            fail(context, "the login at " + server + " cannot begin (" + who() + "): " + e.getMessage(), e);
            return;
        }
        context.sendChosenMechanism(chosen.getName(), login.vhost(), first);
    }

    @Override
    public void handleSaslChallenge(final SaslClientContext context, final ProtonBuffer challenge) {
        final ProtonBuffer response;
        try {
            response = chosen().getChallengeResponse(login, challenge);
        } catch (final SaslException | RuntimeException e) {
            fail(context, distrust(e), e);
            return;
        }
        context.sendResponse(response);
    }

    @Override
    public void handleSaslOutcome(
            final SaslClientContext context, final SaslOutcome outcome, final @Nullable ProtonBuffer additional) {
        if (outcome != SaslOutcome.SASL_OK) {
            failure = new WireException(WireException.NOT_AUTHENTICATED, refusal(outcome));
            return; // the engine fails by itself
        }
        try {
            verify(additional);
        } catch (final SaslException | RuntimeException e) {
            failure = new WireException(WireException.NOT_AUTHENTICATED, distrust(e), e);
            // The context takes no failure after an outcome; what is thrown here fails the engine.
            throw new UncheckedIOException(new SaslException(failure.getMessage(), e));
        }
        succeeded.run();
    }

    private void verify(final @Nullable ProtonBuffer additional) throws SaslException {
        final Mechanism chosen = chosen();
        try {
            chosen.verifyCompletion();
        } catch (final SaslException incomplete) {
            if (additional == null || !additional.isReadable()) {
                throw incomplete;
            }
            chosen.getChallengeResponse(login, additional);
            chosen.verifyCompletion();
        }
    }

    private Mechanism chosen() throws SaslException {
        if (mechanism == null) {
            throw new SaslException("the server has not offered its SASL mechanisms");
        }
        return mechanism;
    }

    private void fail(final SaslClientContext context, final String why, final @Nullable Exception cause) {
        failure = new WireException(WireException.NOT_AUTHENTICATED, why, cause);
        context.saslFailure(new SaslException(why, cause));
    }

    private String distrust(final Exception why) {
        return server + " has not proved that it knows the password, so the client does not trust it (" + who() + "): "
                + why.getMessage();
    }

    private String hint() {
        return mechanism instanceof Scram
                ? ", or the server keeps no verifier for this mechanism (then saslMechanisms=PLAIN works)"
                : "";
    }

    private String refusal(final SaslOutcome outcome) {
        final String said = " [sasl-outcome " + outcome.saslCode().name().toLowerCase(Locale.ROOT) + "]";
        return switch (outcome) {
            case SASL_AUTH ->
                server + " refuses the login (" + who() + "): "
                        + (mechanism instanceof Bearer
                                ? "the token is not good"
                                : login.username().isEmpty()
                                        ? "it wants a user name and a password, or a client certificate"
                                        : "the user name or the password is wrong" + hint())
                        + said;
            case SASL_TEMP ->
                server + " cannot check the login now (" + who() + "); try again later. Too many logins may have"
                        + " failed from this address" + said;
            default -> server + " cannot check the login (" + who() + "); its log says why" + said;
        };
    }
}
