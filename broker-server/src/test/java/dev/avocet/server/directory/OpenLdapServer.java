package dev.avocet.server.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.InstalledPrograms;
import dev.avocet.testkit.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** OpenLDAP's server as a process of its own, with a password policy, in a folder of the test. */
final class OpenLdapServer implements AutoCloseable {
    static final String BASE = "dc=example,dc=com";
    static final String MANAGER = "cn=manager,dc=example,dc=com";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path folder;
    private final int port = FreePort.next();
    private final int tlsPort = FreePort.next();
    private @Nullable Process process;

    private OpenLdapServer(Path folder) {
        this.folder = folder;
    }

    /** With a certificate of the authority for 127.0.0.1. */
    static OpenLdapServer start(Path folder, TestAuthority authority) throws Exception {
        String slapd = InstalledPrograms.onPath("slapd");
        OpenLdapServer server = new OpenLdapServer(folder);
        server.prepare(slapd, authority);
        server.run(slapd);
        return server;
    }

    String url() {
        return "ldap://127.0.0.1:" + port;
    }

    String tlsUrl() {
        return "ldaps://127.0.0.1:" + tlsPort;
    }

    void restart() throws Exception {
        stop();
        run(InstalledPrograms.onPath("slapd"));
    }

    @Override
    public void close() {
        stop();
    }

    private void stop() {
        Process running = process;
        if (running != null) {
            running.destroy();
            try {
                if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    running.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void prepare(String slapd, TestAuthority authority) throws Exception {
        TestAuthority.Issued server = authority.issueRsa("127.0.0.1");
        Path database = Files.createDirectories(folder.resolve("db"));
        Path config = Files.writeString(folder.resolve("slapd.conf"), """
                include /etc/ldap/schema/core.schema
                include /etc/ldap/schema/cosine.schema
                include /etc/ldap/schema/nis.schema
                include /etc/ldap/schema/inetorgperson.schema
                modulepath /usr/lib/ldap
                moduleload back_mdb
                moduleload ppolicy
                pidfile %s
                TLSCACertificateFile %s
                TLSCertificateFile %s
                TLSCertificateKeyFile %s
                disallow bind_anon
                database mdb
                maxsize 16777216
                suffix "%s"
                rootdn "%s"
                rootpw secret
                directory %s
                index uid,member eq
                access to attrs=userPassword by anonymous auth by * none
                access to * by users read by * none
                overlay ppolicy
                ppolicy_default "cn=default,ou=policies,%s"
                ppolicy_use_lockout
                """.formatted(
                        folder.resolve("pid"),
                        authority.writeTo(folder.resolve("ca.pem")),
                        server.writeCertificate(folder.resolve("cert.pem")),
                        server.writeKey(folder.resolve("key.pem")),
                        BASE,
                        MANAGER,
                        database,
                        BASE));
        Path people = Files.writeString(folder.resolve("people.ldif"), PEOPLE);
        Process load = new ProcessBuilder(slapd, "-Ta", "-f", config.toString(), "-l", people.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("slapadd.log").toFile())
                .start();
        assertThat(load.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(load.exitValue())
                .as(Files.readString(folder.resolve("slapadd.log")))
                .isZero();
    }

    private void run(String slapd) throws IOException {
        process = new ProcessBuilder(List.of(
                        slapd, "-d", "0", "-f", folder.resolve("slapd.conf").toString(), "-h", url() + " " + tlsUrl()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("slapd.log").toFile())
                .start();
        Process started = process;
        await().atMost(PATIENCE).until(() -> !started.isAlive() || listens(port) && listens(tlsPort));
        assertThat(started.isAlive())
                .as(() -> "slapd has ended: " + lines(folder.resolve("slapd.log")))
                .isTrue();
    }

    private static String lines(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Of old and locked the passwords are right and of no use. */
    private static final String PEOPLE = """
            dn: dc=example,dc=com
            objectClass: dcObject
            objectClass: organization
            o: example
            dc: example

            dn: ou=people,dc=example,dc=com
            objectClass: organizationalUnit
            ou: people

            dn: ou=groups,dc=example,dc=com
            objectClass: organizationalUnit
            ou: groups

            dn: ou=policies,dc=example,dc=com
            objectClass: organizationalUnit
            ou: policies

            dn: cn=default,ou=policies,dc=example,dc=com
            objectClass: device
            objectClass: pwdPolicy
            cn: default
            pwdAttribute: userPassword
            pwdMaxAge: 2000000000
            pwdExpireWarning: 0
            pwdLockout: TRUE
            pwdMaxFailure: 3

            dn: cn=short,ou=policies,dc=example,dc=com
            objectClass: device
            objectClass: pwdPolicy
            cn: short
            pwdAttribute: userPassword
            pwdMaxAge: 3600

            dn: cn=warning,ou=policies,dc=example,dc=com
            objectClass: device
            objectClass: pwdPolicy
            cn: warning
            pwdAttribute: userPassword
            pwdMaxAge: 2000000000
            pwdExpireWarning: 1999999999

            dn: uid=anna,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: anna
            cn: Anna
            sn: Anna
            userPassword: pencil

            dn: uid=gräfin (o*k),ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: gräfin (o*k)
            cn: odd
            sn: odd
            userPassword: brush

            dn: uid=old,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: old
            cn: old
            sn: old
            userPassword: rust
            pwdChangedTime: 20200101000000Z
            pwdPolicySubentry: cn=short,ou=policies,dc=example,dc=com

            dn: uid=soon,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: soon
            cn: soon
            sn: soon
            userPassword: bread
            pwdChangedTime: 20200101000000Z
            pwdPolicySubentry: cn=warning,ou=policies,dc=example,dc=com

            dn: uid=locked,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: locked
            cn: locked
            sn: locked
            userPassword: key
            pwdAccountLockedTime: 000001010000Z

            dn: uid=bare,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: bare
            cn: bare
            sn: bare

            dn: cn=writers,ou=groups,dc=example,dc=com
            objectClass: groupOfNames
            cn: writers
            member: uid=anna,ou=people,dc=example,dc=com

            dn: cn=staff,ou=groups,dc=example,dc=com
            objectClass: groupOfNames
            cn: staff
            member: cn=writers,ou=groups,dc=example,dc=com
            """;
}
