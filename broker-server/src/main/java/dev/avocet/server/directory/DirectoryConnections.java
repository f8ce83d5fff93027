package dev.avocet.server.directory;

import com.unboundid.ldap.sdk.BindRequest;
import com.unboundid.ldap.sdk.FailoverServerSet;
import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPConnectionPool;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.PostConnectProcessor;
import com.unboundid.ldap.sdk.ServerSet;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.SingleServerSet;
import com.unboundid.ldap.sdk.StartTLSPostConnectProcessor;
import com.unboundid.util.ssl.HostNameSSLSocketVerifier;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.object.security.ServerCheck;
import dev.avocet.core.config.value.DirectoryUrl;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The connections to a directory: those that search, as {@code BindDN} or without a name, and those on which users'
 * passwords are checked, whose name changes with each. Opened when they are needed; one that does not answer is
 * replaced, by one to the next server if need be. Referrals are not followed. Thread-safe.
 */
final class DirectoryConnections implements AutoCloseable {
    private static final long HEALTH_INTERVAL_MS = 15_000;
    private static final long LONGEST_LIFE_MS = TimeUnit.MINUTES.toMillis(10);
    private static final long SHORTEST_CONNECT_MS = 500;

    private final LDAPConnectionPool searches;
    private final LDAPConnectionPool binds;

    private DirectoryConnections(LDAPConnectionPool searches, LDAPConnectionPool binds) {
        this.searches = searches;
        this.binds = binds;
    }

    /**
     * Connects to no server yet.
     *
     * @param files where uploaded certificates are
     */
    static DirectoryConnections of(LDAP ldap, Path files) throws UnusableDirectoryException {
        BindRequest service = ldap.bindDn().isEmpty()
                ? null
                : new SimpleBindRequest(ldap.bindDn(), ldap.bindPassword().reveal());
        return new DirectoryConnections(pool(ldap, files, service), pool(ldap, files, null));
    }

    /** For searches. */
    LDAPConnectionPool searches() {
        return searches;
    }

    /** For users' passwords; who takes a connection binds first. */
    LDAPConnectionPool binds() {
        return binds;
    }

    /** How many connections are idle at the moment. */
    int idle() {
        return searches.getCurrentAvailableConnections() + binds.getCurrentAvailableConnections();
    }

    @Override
    public void close() {
        searches.close();
        binds.close();
    }

    /** The servers of a directory, the one that has answered last before the others. */
    static ServerSet servers(LDAP ldap, List<DirectoryUrl> urls, Path files, @Nullable BindRequest service)
            throws UnusableDirectoryException {
        LDAPConnectionOptions options = options(ldap, urls.size());
        boolean encrypts = ldap.startTls() || urls.stream().anyMatch(DirectoryUrl::tls);
        SSLSocketFactory tls = encrypts ? DirectoryTls.socketFactory(ldap, files) : null;
        PostConnectProcessor startTls = ldap.startTls() && tls != null ? new StartTLSPostConnectProcessor(tls) : null;
        ServerSet[] sets = urls.stream()
                .map(url -> (ServerSet) new SingleServerSet(
                        url.server().host(),
                        url.server().port(),
                        url.tls() && tls != null ? tls : SocketFactory.getDefault(),
                        options,
                        service,
                        startTls))
                .toArray(ServerSet[]::new);
        FailoverServerSet set = new FailoverServerSet(sets);
        set.setReOrderOnFailover(true);
        return set;
    }

    private static LDAPConnectionPool pool(LDAP ldap, Path files, @Nullable BindRequest service)
            throws UnusableDirectoryException {
        List<DirectoryUrl> urls = ldap.servers();
        try {
            LDAPConnectionPool pool = new LDAPConnectionPool(
                    servers(ldap, urls, files, service),
                    service,
                    0,
                    ldap.maxConnections(),
                    1,
                    null,
                    false,
                    new AliveCheck(connectTimeoutMs(ldap, urls.size())));
            pool.setConnectionPoolName(service == null ? "passwords" : "searches");
            pool.setHealthCheckIntervalMillis(HEALTH_INTERVAL_MS);
            pool.setMaxConnectionAgeMillis(LONGEST_LIFE_MS);
            pool.setRetryFailedOperationsDueToInvalidConnections(true);
            return pool;
        } catch (LDAPException e) {
            throw new UnusableDirectoryException("the directory cannot be used: " + e.getMessage(), e);
        }
    }

    private static LDAPConnectionOptions options(LDAP ldap, int servers) {
        LDAPConnectionOptions options = new LDAPConnectionOptions();
        options.setConnectTimeoutMillis((int) connectTimeoutMs(ldap, servers));
        options.setResponseTimeoutMillis(connectTimeoutMs(ldap, servers)); // each request that users cause has its own
        options.setFollowReferrals(false);
        options.setBindWithDNRequiresPassword(true);
        options.setUseSynchronousMode(true);
        options.setAbandonOnTimeout(true);
        if (ldap.checkServerCert() != ServerCheck.DISABLE_VERIFY) {
            options.setSSLSocketVerifier(new HostNameSSLSocketVerifier(true));
        }
        return options;
    }

    /** So short that every server can be tried before a login has waited too long. */
    private static long connectTimeoutMs(LDAP ldap, int servers) {
        long all = TimeUnit.SECONDS.toMillis(ldap.timeoutSeconds());
        return Math.max(SHORTEST_CONNECT_MS, all / (servers + 1));
    }
}
