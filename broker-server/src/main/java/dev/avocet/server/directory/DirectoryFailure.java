package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.LDAPBindException;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import dev.avocet.core.security.login.LoginVerdict;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an error of the directory means. */
final class DirectoryFailure {
    private static final int LONGEST_DIAGNOSTIC = 200;

    /** What is about the user and not about the directory. */
    private static final Map<ResultCode, String> ABOUT_THE_USER = Map.of(
            ResultCode.INVALID_CREDENTIALS, "",
            ResultCode.NO_SUCH_OBJECT, "the entry of the user is not there",
            ResultCode.INVALID_DN_SYNTAX, "the name of the user fits no entry",
            ResultCode.INAPPROPRIATE_AUTHENTICATION, "the entry of the user has no password",
            ResultCode.UNWILLING_TO_PERFORM, "the directory does not want to check this password",
            ResultCode.CONSTRAINT_VIOLATION, "the entry of the user cannot be used",
            ResultCode.REFERRAL, "the directory names another server, and referrals are not followed");

    private DirectoryFailure() {}

    /** What it means to a login. */
    static LoginVerdict of(LDAPException e) {
        String aboutUser = e instanceof LDAPBindException || isOurs(e) ? ABOUT_THE_USER.get(e.getResultCode()) : null;
        if (aboutUser == null) {
            return new LoginVerdict.Unavailable(words(e), false);
        }
        String policy = e instanceof LDAPBindException bind ? PasswordState.reason(bind.getBindResult()) : null;
        if (policy != null) {
            return new LoginVerdict.Refused(policy);
        }
        return new LoginVerdict.Refused(aboutUser.isEmpty() ? "" : aboutUser + diagnostic(e));
    }

    /** In words, with what to do where that is known. */
    static String words(LDAPException e) {
        ResultCode code = e.getResultCode();
        if (code.equals(ResultCode.INVALID_CREDENTIALS)) {
            return "the directory refuses BindDN with BindPassword; correct them" + diagnostic(e);
        }
        if (code.equals(ResultCode.TIMEOUT)) {
            return "the directory has not answered in time";
        }
        if (code.equals(ResultCode.NO_SUCH_OBJECT)) {
            return "the directory has no entry where the search begins, or does not show it; correct BaseDN, UserSuffix and"
                    + " GroupSuffix, or let BindDN read them"
                    + diagnostic(e);
        }
        if (code.equals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS)
                || code.equals(ResultCode.INAPPROPRIATE_AUTHENTICATION)) {
            return "BindDN may not search, or the directory wants one; give one that may" + diagnostic(e);
        }
        if (code.equals(ResultCode.CONFIDENTIALITY_REQUIRED) || code.equals(ResultCode.STRONG_AUTH_REQUIRED)) {
            return "the directory wants an encrypted connection; set StartTLS, or use ldaps://" + diagnostic(e);
        }
        return code.isConnectionUsable()
                ? "the directory answers " + code.getName() + diagnostic(e)
                : "no server of the directory answers" + reason(e);
    }

    private static boolean isOurs(LDAPException e) {
        return e.getResultCode().equals(ResultCode.CONSTRAINT_VIOLATION) && !(e instanceof LDAPBindException);
    }

    private static String diagnostic(LDAPException e) {
        String said = isOurs(e) ? e.getMessage() : e.getDiagnosticMessage();
        return said == null || said.isBlank() ? "" : " (" + shortened(said) + ")";
    }

    private static String reason(LDAPException e) {
        Throwable root = root(e);
        String said = root == null ? e.getResultCode().getName() : root.getMessage(); // e's own may name the user
        return said == null || said.isBlank() ? "" : " (" + shortened(said) + ")";
    }

    private static @Nullable Throwable root(Throwable e) {
        Throwable cause = e.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** One line; what another server says may be long and hold anything. */
    private static String shortened(String said) {
        String line = said.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= LONGEST_DIAGNOSTIC ? line : line.substring(0, LONGEST_DIAGNOSTIC) + "…";
    }
}
