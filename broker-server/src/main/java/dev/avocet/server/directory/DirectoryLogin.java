package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPConnectionPool;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPInterface;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.Credentials;
import dev.avocet.core.security.login.LoginVerdict;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import dev.avocet.core.security.user.UserNames;
import dev.avocet.core.time.Clock;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One login: finds the user's entry, binds as that entry with the given password, and finds the groups. On threads that
 * may wait for the directory. Thread-safe.
 */
final class DirectoryLogin {
    private static final int MAX_PASSWORD_BYTES = 1_024;

    private final LDAP ldap;
    private final DirectoryConnections connections;
    private final UserSearch users;
    private final DirectoryGroups groups;
    private final GroupMemory remembered;
    private final Clock clock;

    DirectoryLogin(LDAP ldap, DirectoryConnections connections, Clock clock) {
        this.ldap = ldap;
        this.connections = connections;
        this.users = new UserSearch(ldap);
        this.groups = new DirectoryGroups(ldap);
        this.remembered = new GroupMemory(ldap.groupCacheTimeoutSeconds(), clock);
        this.clock = clock;
    }

    /** Whether that is the user's password. */
    LoginVerdict check(Credentials.Password given, Deadline deadline) {
        byte[] password = given.password();
        if (!isPossible(given.userName())) {
            return LoginVerdict.NOT_MINE;
        }
        if (password.length == 0) {
            return new LoginVerdict.Refused("an empty password");
        }
        if (password.length > MAX_PASSWORD_BYTES) {
            return new LoginVerdict.Refused("a password of more than " + MAX_PASSWORD_BYTES + " bytes");
        }
        try {
            DirectoryUser user = ldap.searchUser()
                    ? users.find(given.userName(), connections.searches(), deadline)
                    : users.assume(given.userName());
            return user == null ? LoginVerdict.NOT_MINE : bind(user, given, deadline);
        } catch (LDAPException e) {
            return DirectoryFailure.of(e);
        }
    }

    /** The groups of a user whose name a certificate has proved. */
    LoginVerdict lookUp(String userName, Deadline deadline) {
        if (!isPossible(userName)) {
            return LoginVerdict.NOT_MINE;
        }
        try {
            LDAPConnectionPool directory = connections.searches();
            DirectoryUser user = users.find(userName, directory, deadline);
            return user == null
                    ? LoginVerdict.NOT_MINE
                    : accepted(new DirectoryUser(user.dn(), userName), directory, null, deadline);
        } catch (LDAPException e) {
            return DirectoryFailure.of(e);
        }
    }

    private static boolean isPossible(String userName) {
        return !userName.isBlank() && userName.length() <= UserNames.MAX_CHARS;
    }

    private LoginVerdict bind(DirectoryUser user, Credentials.Password given, Deadline deadline) throws LDAPException {
        LDAPConnectionPool pool = connections.binds();
        LDAPConnection connection = pool.getConnection();
        boolean good = false;
        try {
            BindResult result;
            try {
                result = tryBind(connection, user, given.password(), deadline);
            } catch (LDAPException e) {
                if (e.getResultCode().isConnectionUsable()
                        || e.getResultCode().equals(ResultCode.TIMEOUT)
                        || deadline.isOver()) {
                    good = e.getResultCode().isConnectionUsable()
                            && !e.getResultCode().equals(ResultCode.TIMEOUT);
                    throw e;
                }
                connection = pool.replaceDefunctConnection(connection); // it had ended while it was idle
                result = tryBind(connection, user, given.password(), deadline);
            }
            good = true;
            return afterBind(user, result, connection, deadline);
        } catch (LDAPException e) {
            return DirectoryFailure.of(e);
        } finally {
            if (good) {
                pool.releaseConnection(connection);
            } else {
                pool.releaseDefunctConnection(connection);
            }
        }
    }

    private static BindResult tryBind(LDAPConnection connection, DirectoryUser user, byte[] password, Deadline deadline)
            throws LDAPException {
        SimpleBindRequest request =
                new SimpleBindRequest(user.dn(), password, new DraftBeheraLDAPPasswordPolicy10RequestControl());
        request.setResponseTimeoutMillis(deadline.leftMs());
        return connection.bind(request);
    }

    private LoginVerdict afterBind(DirectoryUser user, BindResult result, LDAPConnection connection, Deadline deadline)
            throws LDAPException {
        PasswordState state = PasswordState.of(result, clock);
        if (state.refusal() != null) {
            return new LoginVerdict.Refused(state.refusal());
        }
        if (ldap.searchUser()) {
            return accepted(user, connections.searches(), state.until(), deadline);
        }
        DirectoryUser spelled = users.spelled(user, connection, deadline);
        LDAPInterface directory = ldap.bindDn().isEmpty() ? connection : connections.searches();
        return spelled == null ? LoginVerdict.NOT_MINE : accepted(spelled, directory, state.until(), deadline);
    }

    private LoginVerdict accepted(
            DirectoryUser user, LDAPInterface directory, @Nullable Instant until, Deadline deadline)
            throws LDAPException {
        Set<String> found = ldap.enableCache() ? remembered.find(user.dn()) : null;
        if (found == null) {
            found = groups.of(user, directory, deadline);
            remembered.put(user.dn(), found);
        }
        return new LoginVerdict.Accepted(new ClientIdentity(user.name(), found, null), until);
    }
}
