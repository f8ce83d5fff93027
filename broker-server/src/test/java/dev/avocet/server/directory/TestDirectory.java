package dev.avocet.server.directory;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.LDAPException;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A directory in memory with a few people and groups, that can stop answering, and be stopped and started again. */
public final class TestDirectory implements AutoCloseable {
    /** The entry below which everything is. */
    public static final String BASE = "dc=example,dc=com";
    /** Who may search. */
    public static final String SERVICE = "cn=broker,dc=example,dc=com";

    private final InMemoryDirectoryServer server;
    private final int port = FreePort.next();
    private final AtomicInteger searches = new AtomicInteger();
    private final AtomicInteger binds = new AtomicInteger();
    private volatile @Nullable CountDownLatch held;

    private TestDirectory(@Nullable SSLContext tls, boolean tlsAtOnce) throws Exception {
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        config.setListenerConfigs(
                tls != null && tlsAtOnce
                        ? InMemoryListenerConfig.createLDAPSConfig(
                                "test", loopback, port, tls.getServerSocketFactory(), tls.getSocketFactory())
                        : InMemoryListenerConfig.createLDAPConfig(
                                "test", loopback, port, tls == null ? null : tls.getSocketFactory()));
        config.setSchema(null);
        config.addInMemoryOperationInterceptor(new Watch());
        server = new InMemoryDirectoryServer(config);
        addPeople();
        server.startListening();
    }

    /** In plain text. */
    public static TestDirectory start() throws Exception {
        return new TestDirectory(null, false);
    }

    /** With TLS from the first byte, or by StartTLS. */
    static TestDirectory start(TestAuthority.Issued certificate, boolean tlsAtOnce) throws Exception {
        return new TestDirectory(context(certificate), tlsAtOnce);
    }

    private static SSLContext context(TestAuthority.Issued certificate) {
        return certificate.authority().clientContext(certificate, "TLSv1.2");
    }

    public String url() {
        return "ldap://127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    public int searches() {
        return searches.get();
    }

    int binds() {
        return binds.get();
    }

    /** Requests are not answered until {@link #answer}. */
    public void hold() {
        held = new CountDownLatch(1);
    }

    public void answer() {
        CountDownLatch latch = held;
        held = null;
        if (latch != null) {
            latch.countDown();
        }
    }

    /** All connections end, and no new one is taken. */
    public void stop() {
        server.shutDown(true);
    }

    public void restart() throws LDAPException {
        server.startListening();
    }

    /** All connections end; new ones are taken. */
    void dropConnections() {
        server.closeAllConnections(true);
    }

    void add(String... ldif) throws LDAPException, com.unboundid.ldif.LDIFException {
        server.add(ldif);
    }

    void setPassword(String dn, String password) throws Exception {
        server.modify("dn: " + dn, "changetype: modify", "replace: userPassword", "userPassword: " + password);
    }

    @Override
    public void close() {
        answer();
        server.shutDown(true);
    }

    private void addPeople() throws Exception {
        add("dn: " + BASE, "objectClass: domain", "dc: example");
        add("dn: ou=people," + BASE, "objectClass: organizationalUnit", "ou: people");
        add("dn: ou=groups," + BASE, "objectClass: organizationalUnit", "ou: groups");
        add("dn: " + SERVICE, "objectClass: person", "cn: broker", "sn: broker", "userPassword: service");
        person("anna", "pencil");
        person("bert", "brush");
        group("writers", "uid=anna,ou=people," + BASE);
        group("staff", "cn=writers,ou=groups," + BASE);
        group("everyone", "cn=staff,ou=groups," + BASE, "cn=everyone,ou=groups," + BASE);
        add(
                "dn: cn=posix,ou=groups," + BASE,
                "objectClass: posixGroup",
                "cn: posix",
                "gidNumber: 1",
                "memberUid: anna");
    }

    void person(String name, String password) throws Exception {
        add(
                "dn: uid=" + name + ",ou=people," + BASE,
                "objectClass: inetOrgPerson",
                "uid: " + name,
                "cn: " + name,
                "sn: " + name,
                "userPassword: " + password);
    }

    void group(String name, String... members) throws Exception {
        String[] ldif = new String[members.length + 3];
        ldif[0] = "dn: cn=" + name + ",ou=groups," + BASE;
        ldif[1] = "objectClass: groupOfNames";
        ldif[2] = "cn: " + name;
        for (int i = 0; i < members.length; i++) {
            ldif[i + 3] = "member: " + members[i];
        }
        add(ldif);
    }

    private final class Watch extends InMemoryOperationInterceptor {
        @Override
        public void processSearchRequest(InMemoryInterceptedSearchRequest request) {
            if (!request.getRequest().getBaseDN().isEmpty()) {
                searches.incrementAndGet();
            }
            await();
        }

        @Override
        public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request) {
            binds.incrementAndGet();
            await();
        }

        private void await() {
            CountDownLatch latch = held;
            if (latch != null) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
