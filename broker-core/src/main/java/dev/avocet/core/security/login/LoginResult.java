package dev.avocet.core.security.login;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether a client was let in. */
public sealed interface LoginResult {
    /** Let in for a person unknown. */
    LoginResult ANONYMOUS = new Granted(ClientIdentity.ANONYMOUS);
    /** Refused for want of the right password. */
    LoginResult BAD_CREDENTIALS = new Refused(LoginRefusal.BAD_CREDENTIALS);

    /**
     * What a verdict comes to.
     *
     * @param commonName of the client's certificate, or null
     */
    static LoginResult of(LoginVerdict verdict, @Nullable String commonName) {
        if (verdict instanceof LoginVerdict.Accepted accepted) {
            return new Granted(accepted.identity().withCommonName(commonName), accepted.until());
        }
        if (verdict instanceof LoginVerdict.Unavailable away) {
            return new Refused(away.overloaded() ? LoginRefusal.BUSY : LoginRefusal.UNAVAILABLE, away.why());
        }
        return verdict instanceof LoginVerdict.Refused refused
                ? new Refused(LoginRefusal.BAD_CREDENTIALS, refused.why())
                : BAD_CREDENTIALS;
    }

    /**
     * The client is that.
     *
     * @param until when the login is over and the connection is ended, or null for never
     */
    record Granted(ClientIdentity identity, @Nullable Instant until) implements LoginResult {
        /** For ever. */
        public Granted(ClientIdentity identity) {
            this(identity, null);
        }
    }

    /**
     * The client stays outside.
     *
     * @param detail what the log says beside the reason; may be empty
     */
    record Refused(LoginRefusal reason, String detail) implements LoginResult {
        /** Without more to say. */
        public Refused(LoginRefusal reason) {
            this(reason, "");
        }

        /** In words, for the log. */
        public String text() {
            return detail.isEmpty() ? reason.text() : reason.text() + ": " + detail;
        }
    }
}
