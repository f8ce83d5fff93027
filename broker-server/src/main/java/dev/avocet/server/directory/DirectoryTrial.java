package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.value.DirectoryUrl;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import dev.avocet.core.time.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Tries a directory step by step, as an LDAP object describes it that need not be in force: each server, the broker's
 * own entry, where searches begin, and one user's login. Waits for the directory, at most its {@code Timeout} for each
 * step. One for each trial.
 */
public final class DirectoryTrial {
    private final LDAP ldap;
    private final Path files;
    private final Clock clock;
    private final List<Step> steps = new ArrayList<>();

    /** @param files where uploaded certificates are */
    public DirectoryTrial(LDAP ldap, Path files, Clock clock) {
        this.ldap = ldap;
        this.files = files;
        this.clock = clock;
    }

    /** Whether each server can be used. */
    public List<Step> tryServers() {
        if (ldap.url().isEmpty()) {
            return List.of(new Step(
                    "configuration",
                    false,
                    "the LDAP object has no URL; set it: broker-admin ldap update --directory-url URL"));
        }
        for (DirectoryUrl url : ldap.servers()) {
            tryServer(url);
        }
        return List.copyOf(steps);
    }

    /**
     * Whether a user can log in.
     *
     * @param password in UTF-8
     */
    public Step tryLogin(String userName, byte[] password) {
        String step = "login of '" + userName + "'";
        try (DirectoryConnections connections = DirectoryConnections.of(ldap, files)) {
            LoginVerdict verdict = new DirectoryLogin(ldap, connections, clock)
                    .check(new Credentials.Password(userName, password), deadline());
            return step(step, verdict);
        } catch (UnusableDirectoryException e) {
            return new Step(step, false, String.valueOf(e.getMessage()));
        }
    }

    private Step step(String step, LoginVerdict verdict) {
        if (verdict instanceof LoginVerdict.Accepted accepted) {
            String groups = accepted.identity().groups().isEmpty()
                    ? "no group"
                    : "groups "
                            + String.join(
                                    ", ", new TreeSet<>(accepted.identity().groups()));
            return new Step(step, true, "user '" + accepted.identity().userName() + "', " + groups);
        }
        if (verdict instanceof LoginVerdict.Refused refused) {
            return new Step(step, false, refused.why().isEmpty() ? "the password is wrong" : refused.why());
        }
        return verdict instanceof LoginVerdict.Unavailable unavailable
                ? new Step(step, false, unavailable.why())
                : new Step(
                        step,
                        false,
                        "no entry below '" + ldap.usersBelow() + "' has that " + ldap.userIdMap()
                                + (ldap.ignoreCase() ? "" : " in that spelling"));
    }

    private void tryServer(DirectoryUrl url) {
        try (LDAPConnection connection =
                DirectoryConnections.servers(ldap, List.of(url), files, null).getConnection()) {
            steps.add(new Step("connection to " + url, true, encryption(url)));
            if (bind(connection, url)) {
                search(connection, url, "users", ldap.usersBelow());
                search(connection, url, "groups", ldap.groupsBelow());
            }
        } catch (LDAPException e) {
            steps.add(new Step("connection to " + url, false, connectionProblem(e)));
        } catch (UnusableDirectoryException e) {
            steps.add(new Step("connection to " + url, false, String.valueOf(e.getMessage())));
        }
    }

    private String encryption(DirectoryUrl url) {
        if (!url.tls() && !ldap.startTls()) {
            return "not encrypted: passwords can be read on the way";
        }
        return switch (ldap.checkServerCert()) {
            case DISABLE_VERIFY -> "encrypted, the certificate of the server is not checked";
            case TRUST_STORE, PUBLIC_TRUST -> "encrypted, the certificate of the server is trusted";
        };
    }

    private static String connectionProblem(LDAPException e) {
        String said = String.valueOf(e.getMessage());
        boolean distrusted = said.contains("PKIX") || said.contains("certificate") || said.contains("SSLHandshake");
        return distrusted
                ? DirectoryFailure.words(e)
                        + "; Certificate must be that of the authority, and the name in URL that of the"
                        + " server's certificate"
                : DirectoryFailure.words(e);
    }

    private boolean bind(LDAPConnection connection, DirectoryUrl url) {
        if (ldap.bindDn().isEmpty()) {
            return true;
        }
        String step = "bind as '" + ldap.bindDn() + "' at " + url;
        try {
            SimpleBindRequest request =
                    new SimpleBindRequest(ldap.bindDn(), ldap.bindPassword().reveal());
            request.setResponseTimeoutMillis(deadline().leftMs());
            connection.bind(request);
            steps.add(new Step(step, true, "done"));
            return true;
        } catch (LDAPException e) {
            steps.add(new Step(step, false, DirectoryFailure.words(e)));
            return false;
        }
    }

    private void search(LDAPConnection connection, DirectoryUrl url, String what, String base) {
        String step = "where " + what + " are at " + url;
        if (!ldap.searchUser() && ldap.bindDn().isEmpty()) {
            return; // only users themselves may look there
        }
        try {
            SearchRequest request =
                    new SearchRequest(base, SearchScope.BASE, "(objectClass=*)", SearchRequest.NO_ATTRIBUTES);
            request.setResponseTimeoutMillis(deadline().leftMs());
            if (connection.search(request).getEntryCount() == 0) {
                throw new LDAPException(ResultCode.NO_SUCH_OBJECT, "'" + base + "' is not there, or not to be seen");
            }
            steps.add(new Step(step, true, "'" + base + "' is there"));
        } catch (LDAPException e) {
            steps.add(new Step(step, false, DirectoryFailure.words(e)));
        }
    }

    private Deadline deadline() {
        return new Deadline(
                clock,
                clock.nanoTime() + Duration.ofSeconds(ldap.timeoutSeconds()).toNanos());
    }

    /**
     * What came of one step.
     *
     * @param name what was tried
     * @param done whether it worked
     * @param detail in words, what there is or what to do
     */
    public record Step(String name, boolean done, String detail) {}
}
