package dev.avocet.core.security.login;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a {@link LoginProvider} says about credentials. */
public sealed interface LoginVerdict {
    /** The provider does not know such credentials, or not that user: the next one of the chain is asked. */
    LoginVerdict NOT_MINE = new NotMine();

    /**
     * The credentials are right.
     *
     * @param identity who it is; the common name is added by the chain
     * @param until when the login is over, or null for never
     */
    record Accepted(ClientIdentity identity, @Nullable Instant until) implements LoginVerdict {}

    /**
     * The credentials are wrong, and no other provider is asked.
     *
     * @param why for the log, without the password; may be empty
     */
    record Refused(String why) implements LoginVerdict {}

    /** {@link LoginVerdict#NOT_MINE}. */
    record NotMine() implements LoginVerdict {}

    /**
     * The provider cannot say: the login is refused, and no other provider is asked.
     *
     * @param why for the log
     * @param overloaded whether it is only that too many logins wait for this provider
     */
    record Unavailable(String why, boolean overloaded) implements LoginVerdict {}
}
