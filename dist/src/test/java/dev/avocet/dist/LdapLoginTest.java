package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSSecurityRuntimeException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users of a directory at the packaged broker, set up by broker-admin as docs/security.md says. */
@InTurn
@Timeout(240)
class LdapLoginTest {
    private static final int BAD_USER_NAME_OR_PASSWORD = 0x86;
    private static final String BASE = "dc=example,dc=com";

    @TempDir
    private Path directory;

    private final TestAuthority authority = new TestAuthority("Directory CA");
    private final int ldapPort = FreePort.next();
    private InMemoryDirectoryServer people;

    @AfterEach
    void stop() {
        if (people != null) {
            people.shutDown(true);
        }
    }

    @Test
    void shouldLetUsersOfADirectoryInByMqttJmsAndAdministration() throws Exception {
        // given
        startDirectory();
        int port = FreePort.next();
        try (Administered broker = Administered.startWithObjects(directory.resolve("data"))) {
            Path ca = authority.writeTo(directory.resolve("ca.pem"));
            broker.adminDoneHere("file", "put", ca.toString());
            broker.adminDoneHere(
                    "ldap",
                    "update",
                    "--directory-url",
                    "ldaps://127.0.0.1:" + ldapPort,
                    "--certificate",
                    "ca.pem",
                    "--base-dn",
                    BASE,
                    "--user-suffix",
                    "ou=people," + BASE,
                    "--group-suffix",
                    "ou=groups," + BASE,
                    "--bind-dn",
                    "cn=broker," + BASE,
                    "--bind-password-file",
                    password("service").toString());

            // then: broker-admin tells whether that is right
            assertThat(broker.adminDoneHere(
                            "ldap",
                            "test",
                            "--login",
                            "anna",
                            "--login-password-file",
                            password("pencil").toString()))
                    .contains("encrypted, the certificate of the server is trusted", "groups administrators")
                    .doesNotContain("FAILED");
            assertThat(broker.adminHere(
                                    "ldap",
                                    "test",
                                    "--login",
                                    "anna",
                                    "--login-password-file",
                                    password("pen").toString())
                            .output())
                    .contains("FAILED login of 'anna': the password is wrong");
            assertThat(broker.adminDoneHere("ldap", "show"))
                    .contains("********")
                    .doesNotContain("service");

            // when
            openEndpoint(broker, port);

            // then
            String url = "tcp://127.0.0.1:" + port;
            connect(url, "pencil");
            assertThatThrownBy(() -> connect(url, "pen"))
                    .isInstanceOfSatisfying(
                            MqttException.class,
                            e -> assertThat(e.getReasonCode()).isEqualTo(BAD_USER_NAME_OR_PASSWORD));
            AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet://127.0.0.1:" + port);
            try (JMSContext context = factory.createContext("anna", "pencil")) {
                context.start();
            }
            assertThatThrownBy(() -> factory.createContext("anna", "pen").close())
                    .isInstanceOf(JMSSecurityRuntimeException.class);
            broker.login("anna", password("pencil"));
            assertThat(broker.adminDoneHere("security-profile", "list")).contains("Passwords");
        }
    }

    private static void connect(String url, String password) throws MqttException {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName("anna");
        options.setPassword(password.getBytes(UTF_8));
        MqttClient client = new MqttClient(url, "ldap-" + password, new MemoryPersistence());
        client.connect(options);
        client.disconnect();
        client.close();
    }

    private static void openEndpoint(Administered broker, int port) {
        broker.adminDoneHere("security-profile", "create", "Passwords", "--tls-enabled", "false");
        broker.adminDoneHere(
                "endpoint",
                "create",
                "Field",
                "--port",
                Integer.toString(port),
                "--interface",
                "127.0.0.1",
                "--hub",
                "DemoHub",
                "--protocol",
                "MQTT,JMS",
                "--security-profile",
                "Passwords",
                "--connection-policies",
                "DemoConnectionPolicy",
                "--topic-policies",
                "DemoTopicPolicy");
    }

    private void startDirectory() throws Exception {
        SSLContext tls = authority.clientContext(authority.issue("127.0.0.1"), "TLSv1.3");
        InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
        config.setListenerConfigs(InMemoryListenerConfig.createLDAPSConfig(
                "test",
                InetAddress.getLoopbackAddress(),
                ldapPort,
                tls.getServerSocketFactory(),
                tls.getSocketFactory()));
        config.setSchema(null);
        people = new InMemoryDirectoryServer(config);
        people.add("dn: " + BASE, "objectClass: domain", "dc: example");
        people.add("dn: cn=broker," + BASE, "objectClass: person", "cn: broker", "sn: broker", "userPassword: service");
        people.add("dn: ou=people," + BASE, "objectClass: organizationalUnit", "ou: people");
        people.add("dn: ou=groups," + BASE, "objectClass: organizationalUnit", "ou: groups");
        people.add(
                "dn: uid=anna,ou=people," + BASE,
                "objectClass: inetOrgPerson",
                "uid: anna",
                "cn: Anna",
                "sn: Anna",
                "userPassword: pencil");
        people.add(
                "dn: cn=administrators,ou=groups," + BASE,
                "objectClass: groupOfNames",
                "cn: administrators",
                "member: uid=anna,ou=people," + BASE);
        people.startListening();
    }

    private Path password(String text) throws Exception {
        return Files.writeString(directory.resolve(text + ".txt"), text + "\n");
    }
}
