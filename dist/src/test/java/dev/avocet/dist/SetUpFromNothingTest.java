package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttToken;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * From an empty directory to clients that may do this and not that, by bin/broker-admin alone: as a process, and for
 * most rules in this JVM.
 */
@Timeout(240)
class SetUpFromNothingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int NOT_AUTHORIZED = 0x87;

    @TempDir
    private Path directory;

    private final List<String> arrived = new CopyOnWriteArrayList<>();

    @Test
    void shouldServeAuthorizedClientsAfterInit() throws Exception {
        // given
        Path data = directory.resolve("data");
        int port = FreePort.next();
        Administered.Outcome init = Administered.run(Administered.THIS_JAVA, options(data, port));
        assertThat(init.exitCode()).as(init.output()).isZero();
        assertThat(init.output())
                .contains("set up in " + data, "start: ", "try: ", "mosquitto_sub -h localhost -p " + port);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                .isEqualTo("rwx------");
        Administered.Outcome again = Administered.run(Administered.THIS_JAVA, options(data, port));
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.output()).contains("has been configured already");

        try (Administered broker = Administered.startWithObjects(data)) {
            String url = "ssl://localhost:" + port;
            SocketFactory trusting = trusting(data.resolve("files/server.pem")).getSocketFactory();

            // then: the first user has topics of its own, and nobody comes in without the password
            MqttClient anna = connect(url, "a", "anna", "anna's secret", trusting);
            subscribe(anna, "anna/#");
            anna.publish("anna/x", "1".getBytes(UTF_8), 1, false);
            await().atMost(PATIENCE).until(() -> arrived.contains("anna/x"));
            assertThat(publish(anna, "bert/x")).isEqualTo(NOT_AUTHORIZED);
            assertRefused(url, "anna", "wrong", trusting);
            assertRefused(url, null, null, trusting);
            anna.disconnect();
            anna.close();

            // then: nobody administers without the password
            assertThat(broker.admin("queue", "list").exitCode()).isEqualTo(8);
            broker.login("admin", password("admin's secret"));
            assertThat(broker.adminDone("endpoint", "list", "-o", "name")).contains("Main");
            assertThat(broker.adminDone("doctor", "--data", data.toString())).doesNotContain("FAIL");
        }
    }

    @Test
    void shouldServeJmsClientsAndAdministratorsOfOtherMachinesAfterInit() throws Exception {
        // given
        Path data = directory.resolve("data");
        int port = FreePort.next();
        int adminPort = FreePort.next();
        Administered.Outcome init =
                init(data, port, "--queues", "orders, bills", "--admin-address", "All:" + adminPort);
        assertThat(init.exitCode()).as(init.output()).isZero();
        String url = "avocets://localhost:" + port + "?trustCertificates=" + data.resolve("files/server.pem");
        String administration = "https://localhost:" + adminPort;
        assertThat(init.output()).contains("orders,bills", url, "--url " + administration);

        try (Launched broker =
                Distribution.launch(Administered.THIS_JAVA, "--data", data.toString(), "--store", "os")) {
            broker.awaitLine("ready");

            // then: every user may use the queues, and no other
            try (JMSContext context = new AvocetConnectionFactory(url).createContext("anna", "anna's secret")) {
                for (String queue : List.of("orders", "bills")) {
                    context.createProducer().send(context.createQueue(queue), "for " + queue);
                    assertThat(context.createConsumer(context.createQueue(queue))
                                    .receiveBody(String.class, PATIENCE.toMillis()))
                            .isEqualTo("for " + queue);
                }
                assertThatThrownBy(() -> context.createProducer().send(context.createQueue("others"), "x"))
                        .isInstanceOf(JMSRuntimeException.class);
                context.createProducer().send(context.createTopic("anna/x"), "y");
            }

            // then: the administration is where it was asked to be, with TLS and the password
            assertThat(Administered.runHere(
                                    "queue",
                                    "list",
                                    "-o",
                                    "name",
                                    "--url",
                                    administration,
                                    "--ca",
                                    data.resolve("files/server.pem").toString(),
                                    "--user",
                                    "admin",
                                    "--password-file",
                                    password("admin's secret").toString())
                            .output())
                    .contains("orders", "bills");
        }
    }

    @InTurn
    @Test
    void shouldRefuseShortPasswordsUnlessToldOtherwise() throws IOException {
        Path data = directory.resolve("data");
        List<String> arguments =
                List.of("--first-user-password-file", password("7 chars").toString());

        Administered.Outcome refused = init(data, FreePort.next(), arguments.toArray(String[]::new));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output())
                .contains("--first-user-password-file: a password of 7 characters is too short; give at least 8")
                .contains("--allow-short-passwords");
        assertThat(data).doesNotExist();

        List<String> allowed = Stream.concat(arguments.stream(), Stream.of("--allow-short-passwords"))
                .toList();
        Administered.Outcome taken = init(data, FreePort.next(), allowed.toArray(String[]::new));
        assertThat(taken.exitCode()).as(taken.output()).isZero();
    }

    @InTurn
    @Test
    void shouldRefuseAnAddressOfTheAdministrationThatIsNone() throws IOException {
        Path data = directory.resolve("data");
        Administered.Outcome refused = init(data, FreePort.next(), "--admin-address", "::1:9089:");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.output()).contains("--admin-address: '::1:9089:' is not an address", "[2001:db8::7]:9089");
        assertThat(data).doesNotExist();
    }

    @InTurn
    @Test
    void shouldSayWhatIsMissingWhereNobodyCanBeAsked() throws IOException, InterruptedException {
        Administered.Outcome outcome = Administered.run(
                Administered.THIS_JAVA,
                "init",
                "--data",
                directory.resolve("data").toString(),
                "--port",
                "8883");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.output())
                .contains(
                        "give --address, --host-name, --admin-password-file, --first-user, --first-user-password-file");
        assertThat(directory.resolve("data")).doesNotExist();
    }

    @InTurn
    @Test
    void shouldEnforceEveryRuleThatWasSetUp() throws Exception {
        // given: two endpoints of a hub, one with passwords, one with client certificates
        Path data = directory.resolve("data");
        int plain = FreePort.next();
        int secure = FreePort.next();
        init(data, FreePort.next());
        TestAuthority authority = new TestAuthority("devices");
        Issued server = authority.issue("localhost");
        Path ca = authority.writeTo(directory.resolve("ca.pem"));
        Path certificate = server.writeCertificate(directory.resolve("web.pem"));
        Path key = server.writeKey(directory.resolve("web.key"));
        try (Administered broker = Administered.startWithObjects(data)) {
            broker.login("admin", password("admin's secret"));
            broker.adminDoneHere("message-hub", "create", "Plant");
            broker.adminDoneHere("group", "create", "operators");
            broker.adminDoneHere(
                    "user",
                    "create",
                    "olga",
                    "--groups",
                    "operators",
                    "--new-password-file",
                    password("olga's").toString());
            broker.adminDoneHere(
                    "user",
                    "create",
                    "gast",
                    "--new-password-file",
                    password("gast's").toString());
            broker.adminDoneHere("security-profile", "create", "passwords", "--tls-enabled", "false");
            broker.adminDoneHere(
                    "certificate-profile",
                    "create",
                    "web",
                    "--certificate",
                    certificate.toString(),
                    "--key",
                    key.toString());
            broker.adminDoneHere(
                    "security-profile",
                    "create",
                    "devices",
                    "--certificate-profile",
                    "web",
                    "--use-client-certificate",
                    "true",
                    "--use-password-authentication",
                    "false");
            broker.adminDoneHere("trusted-certificate", "create", ca.toString(), "--security-profile-name", "devices");
            broker.adminDoneHere(
                    "connection-policy", "create", "Operators", "--group-id", "operators", "--client-id", "op-*");
            broker.adminDoneHere("connection-policy", "create", "Devices", "--common-names", "press-*");
            broker.adminDoneHere(
                    "topic-policy",
                    "create",
                    "Watch",
                    "--group-id",
                    "operators",
                    "--topic",
                    "plant/*",
                    "--action-list",
                    "Subscribe");
            broker.adminDoneHere(
                    "topic-policy",
                    "create",
                    "Report",
                    "--common-names",
                    "press-*",
                    "--topic",
                    "plant/${CommonName}/*",
                    "--action-list",
                    "Publish");
            broker.adminDoneHere(
                    "subscription-policy",
                    "create",
                    "Team",
                    "--group-id",
                    "operators",
                    "--subscription",
                    "team",
                    "--action-list",
                    "Receive,Control");
            broker.adminDoneHere(
                    "endpoint",
                    "create",
                    "Office",
                    "--port",
                    Integer.toString(plain),
                    "--interface",
                    "127.0.0.1",
                    "--hub",
                    "Plant",
                    "--security-profile",
                    "passwords",
                    "--connection-policies",
                    "Operators",
                    "--topic-policies",
                    "Watch",
                    "--subscription-policies",
                    "Team");
            broker.adminDoneHere(
                    "endpoint",
                    "create",
                    "Floor",
                    "--port",
                    Integer.toString(secure),
                    "--interface",
                    "127.0.0.1",
                    "--hub",
                    "Plant",
                    "--security-profile",
                    "devices",
                    "--connection-policies",
                    "Devices",
                    "--topic-policies",
                    "Report");
            String office = "tcp://127.0.0.1:" + plain;
            String floor = "ssl://localhost:" + secure;

            // then: connection policies
            MqttClient olga = connect(office, "op-1", "olga", "olga's", null);
            assertRefused(office, "gast", "gast's", null);
            assertThatThrownBy(() -> connect(office, "other", "olga", "olga's", null))
                    .isInstanceOf(MqttException.class);
            SocketFactory press = client(authority, authority.issue("press-7"));
            SocketFactory robot = client(authority, authority.issue("robot-1"));
            SocketFactory stranger = client(authority, new TestAuthority("strangers").issue("press-8"));
            SocketFactory unnamed = authority.clientContext(null, "TLS").getSocketFactory();
            MqttClient device = connect(floor, "press-7", null, null, press);
            for (SocketFactory refused : List.of(robot, stranger, unnamed)) {
                assertRefused(floor, null, null, refused);
            }

            // then: topic and subscription policies
            subscribe(olga, "plant/#");
            subscribe(olga, "$SharedSubscription/team/plant/press-7/state");
            assertThat(reasonOf(() -> subscribe(olga, "office/#"))).isEqualTo(NOT_AUTHORIZED);
            assertThat(reasonOf(() -> subscribe(olga, "$SharedSubscription/rivals/plant/#")))
                    .isEqualTo(NOT_AUTHORIZED);
            assertThat(publish(olga, "plant/press-7/state")).isEqualTo(NOT_AUTHORIZED);
            device.publish("plant/press-7/state", new byte[1], 1, false);
            await().atMost(PATIENCE)
                    .until(() -> arrived.stream()
                                    .filter("plant/press-7/state"::equals)
                                    .count()
                            == 2);
            assertThat(publish(device, "plant/press-8/state")).isEqualTo(NOT_AUTHORIZED);

            // then: what the administrator sees, and does
            assertThat(broker.adminDoneHere("client", "list", "--endpoint", "Floor", "-o", "name"))
                    .isEqualTo("press-7");
            assertThat(broker.adminDoneHere("client", "show", "op-1")).contains("olga", "Office", "plant/#");
            assertThat(broker.adminDoneHere("subscription", "list", "--kind", "shared"))
                    .containsPattern("__Shared +team +plant/press-7/state");
            assertThat(broker.adminHere("message-hub", "delete", "Plant").exitCode())
                    .isEqualTo(10);
            broker.adminDoneHere("client", "disconnect", "press-*");
            await().atMost(PATIENCE).until(() -> !device.isConnected());
            device.close();
            olga.disconnect();
            olga.close();
        }
    }

    /** In this JVM; {@link #shouldServeAuthorizedClientsAfterInit} has the process. */
    private Administered.Outcome init(Path data, int port, String... more) throws IOException {
        return Administered.runHere(options(data, port, more));
    }

    /** @param more come last; options with values, and then at most one without */
    private String[] options(Path data, int port, String... more) throws IOException {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("--data", data.toString());
        options.put("--address", "127.0.0.1");
        options.put("--port", Integer.toString(port));
        options.put("--host-name", "localhost");
        options.put("--admin-password-file", password("admin's secret").toString());
        options.put("--first-user", "anna");
        options.put("--first-user-password-file", password("anna's secret").toString());
        List<String> flags = new ArrayList<>();
        for (int i = 0; i < more.length; i++) {
            if (i + 1 < more.length) {
                options.put(more[i], more[++i]);
            } else {
                flags.add(more[i]);
            }
        }
        List<String> arguments = new ArrayList<>(List.of("init"));
        options.forEach((name, value) -> arguments.addAll(List.of(name, value)));
        arguments.addAll(flags);
        return arguments.toArray(String[]::new);
    }

    private Path password(String text) throws IOException {
        return Files.writeString(directory.resolve(text), text + "\n");
    }

    private static SocketFactory client(TestAuthority trusted, Issued own) {
        return trusted.clientContext(own, "TLS").getSocketFactory();
    }

    private static MqttClient connect(
            String url,
            String clientId,
            @Nullable String user,
            @Nullable String password,
            @Nullable SocketFactory sockets)
            throws MqttException {
        MqttClient client = new MqttClient(url, clientId, new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setAutomaticReconnect(false);
        options.setSessionExpiryInterval(600L);
        options.setUserName(user);
        options.setPassword(password == null ? null : password.getBytes(UTF_8));
        if (sockets != null) {
            options.setSocketFactory(sockets);
        }
        try {
            client.connect(options);
            return client;
        } catch (MqttException e) {
            client.close();
            throw e;
        }
    }

    private static void assertRefused(
            String url, @Nullable String user, @Nullable String password, @Nullable SocketFactory sockets) {
        assertThatThrownBy(() -> connect(url, "op-2", user, password, sockets)).isInstanceOf(MqttException.class);
    }

    private void subscribe(MqttClient client, String filter) throws MqttException {
        IMqttMessageListener listener = (topic, message) -> arrived.add(topic);
        var token = client.subscribe(
                new MqttSubscription[] {new MqttSubscription(filter, 1)}, new IMqttMessageListener[] {listener});
        int reason = Arrays.stream(token.getReasonCodes()).max().orElse(0);
        if (reason >= 0x80) {
            throw new MqttException(reason);
        }
    }

    /** The reason code of the PUBACK. */
    private static int publish(MqttClient client, String topic) throws MqttException {
        MqttToken token = client.getTopic(topic).publish(new byte[1], 1, false);
        token.waitForCompletion(PATIENCE.toMillis());
        return Arrays.stream(token.getReasonCodes()).max().orElse(0);
    }

    private static int reasonOf(Action action) {
        try {
            action.run();
            return 0;
        } catch (MqttException e) {
            return e.getReasonCode();
        }
    }

    private static SSLContext trusting(Path certificate) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @FunctionalInterface
    private interface Action {
        void run() throws MqttException;
    }
}
