package dev.avocet.core.security.provider;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginProvider;
import dev.avocet.core.security.login.LoginQuestion;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.security.login.LoginVerdict;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges OAUTHBEARER (RFC 7628) and XOAUTH2, in which a client sends a token in one message. A token that is not
 * good is answered by what the RFC calls the error, and by the refusal once the client has said something to that.
 *
 * <p>One per connection, on its loop.
 */
public final class BearerExchange implements AuthenticationExchange {
    /** As RFC 7628 has it. */
    public static final String OAUTHBEARER = "OAUTHBEARER";
    /** As some servers of mail have it; AMQP clients know it. */
    public static final String XOAUTH2 = "XOAUTH2";

    private static final String SEPARATOR = "\u0001";
    private static final String BEARER = "bearer ";
    private static final byte[] ERROR = "{\"status\":\"invalid_token\"}".getBytes(StandardCharsets.UTF_8);

    private final LoginProvider provider;
    private final boolean standard;
    private final ClientOrigin origin;
    private final IoLoop loop;
    private @Nullable Step failed;

    private BearerExchange(LoginProvider provider, boolean standard, ClientOrigin origin, IoLoop loop) {
        this.provider = provider;
        this.standard = standard;
        this.origin = origin;
        this.loop = loop;
    }

    /** The exchange of that name, or null when it is another. */
    public static @Nullable AuthenticationExchange of(
            String method, LoginProvider provider, ClientOrigin origin, IoLoop loop) {
        boolean standard = method.equals(OAUTHBEARER);
        return standard || method.equals(XOAUTH2) ? new BearerExchange(provider, standard, origin, loop) : null;
    }

    @Override
    public void step(byte @Nullable [] clientData, Consumer<Step> answer) {
        if (failed != null) {
            answer.accept(failed);
        } else if (clientData == null || clientData.length == 0) {
            answer.accept(new Step.Continue(new byte[0]));
        } else {
            check(new String(clientData, StandardCharsets.UTF_8), answer);
        }
    }

    private void check(String message, Consumer<Step> answer) {
        String token = token(message);
        if (token == null) {
            answer.accept(new Step.Failure(LoginRefusal.BAD_CREDENTIALS, null));
            return;
        }
        String actsFor = standard ? authorization(message) : "";
        provider.check(
                new LoginQuestion(new Credentials.Token(token), origin, true),
                verdict -> loop.execute(() -> answer.accept(stepOf(verdict, actsFor))));
    }

    private Step stepOf(LoginVerdict verdict, String actsFor) {
        LoginResult result = LoginResult.of(verdict, origin.commonName());
        if (result instanceof LoginResult.Granted granted) {
            boolean himself =
                    actsFor.isEmpty() || actsFor.equals(granted.identity().userName());
            return himself
                    ? new Step.Success(granted.identity(), granted.until(), null)
                    : new Step.Failure(LoginRefusal.BAD_CREDENTIALS, null);
        }
        LoginRefusal reason = ((LoginResult.Refused) result).reason();
        Step refusal = new Step.Failure(reason, null);
        if (reason != LoginRefusal.BAD_CREDENTIALS) {
            return refusal;
        }
        failed = refusal;
        return new Step.Continue(ERROR);
    }

    private static @Nullable String token(String message) {
        for (String part : message.split(SEPARATOR, -1)) {
            String lower = part.toLowerCase(Locale.ROOT);
            if (lower.startsWith("auth=" + BEARER)) {
                return part.substring("auth=".length() + BEARER.length()).strip();
            }
        }
        return null;
    }

    /** {@code a=} of the header that stands before the first separator, as in {@code n,a=anna,}. */
    private static String authorization(String message) {
        for (String part : message.split(SEPARATOR, 2)[0].split(",", -1)) {
            if (part.startsWith("a=")) {
                return part.substring(2).replace("=2C", ",").replace("=3D", "=");
            }
        }
        return "";
    }
}
