package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10WarningType;
import dev.avocet.core.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a directory with a password policy says of a password (draft-behera-ldap-password-policy).
 *
 * @param refusal why the user may not log in although the password is right; null when the user may
 * @param until when the password expires; null when the directory does not say
 */
record PasswordState(@Nullable String refusal, @Nullable Instant until) {
    private static final PasswordState FINE = new PasswordState(null, null);
    private static final long MS_PER_SECOND = 1_000;

    /** What the answer to a bind that has succeeded says. */
    static PasswordState of(BindResult result, Clock clock) {
        DraftBeheraLDAPPasswordPolicy10ResponseControl said = in(result);
        if (said == null) {
            return FINE;
        }
        if (said.getErrorType() != null) {
            return new PasswordState(words(said.getErrorType()), null);
        }
        boolean ends = said.getWarningType() == DraftBeheraLDAPPasswordPolicy10WarningType.TIME_BEFORE_EXPIRATION;
        return ends
                ? new PasswordState(
                        null, Instant.ofEpochMilli(clock.wallTimeMs() + said.getWarningValue() * MS_PER_SECOND))
                : FINE;
    }

    /** Why a bind was refused, or null when the directory says no more than that it was. */
    static @Nullable String reason(LDAPResult refused) {
        DraftBeheraLDAPPasswordPolicy10ResponseControl said = in(refused);
        return said == null || said.getErrorType() == null ? null : words(said.getErrorType());
    }

    private static @Nullable DraftBeheraLDAPPasswordPolicy10ResponseControl in(LDAPResult result) {
        try {
            return result instanceof BindResult bound
                    ? DraftBeheraLDAPPasswordPolicy10ResponseControl.get(bound)
                    : null;
        } catch (LDAPException e) {
            return null; // a control that cannot be read says nothing
        }
    }

    private static String words(DraftBeheraLDAPPasswordPolicy10ErrorType error) {
        return switch (error) {
            case PASSWORD_EXPIRED -> "the password has expired";
            case ACCOUNT_LOCKED -> "the account is locked";
            case CHANGE_AFTER_RESET -> "the password has to be changed first";
            default -> "the directory says: " + error.getName();
        };
    }
}
