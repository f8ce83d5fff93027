package dev.avocet.server.broker.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLSocket;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker whose endpoints come, change and go while clients use them. */
class ObjectEndpointsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FRESH_CLIENT_TIMEOUT_S = 20;

    @TempDir
    private Path data;

    private ConfigurationStore objects;
    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        objects = ConfigurationStore.open(data.resolve("config"));
        change("{\"Endpoint\": {\"DemoMqttEndpoint\": {\"Enabled\": false}}}"); // somebody else may have its port
        broker = start("{\"store\": {\"mode\": \"memory\"}}");
        broker.attach(objects, true);
    }

    @AfterEach
    void stop() {
        objects.close();
        broker.close();
    }

    @Test
    void shouldServeClientsAtAnEndpointThatIsCreated() throws Exception {
        // given
        int port = FreePort.next();

        // when
        change(endpoint("mine", port, ""));

        // then
        MqttClient client = connect(port, "anna");
        client.publish("a", new MqttMessage(new byte[1]));
        assertThat(state("mine").address())
                .satisfies(address -> assertThat(address.getPort()).isEqualTo(port));
        assertThat(state("DemoMqttEndpoint").enabled()).isFalse();
        leave(client);
    }

    @Test
    void shouldKeepConnectionsWhenItIsDisabledAndCloseThemWhenItIsDeleted() throws Exception {
        // given
        int port = FreePort.next();
        int otherPort = FreePort.next();
        change(endpoint("mine", port, ""));
        change(endpoint("other", otherPort, ""));
        MqttClient client = connect(port, "anna");
        MqttClient neighbour = connect(otherPort, "bert");

        // when
        change("{\"Endpoint\": {\"mine\": {\"Enabled\": false}}}");

        // then
        assertThatThrownBy(() -> connect(port, "carl")).isInstanceOf(MqttException.class);
        client.publish("a", new MqttMessage(new byte[1]));
        assertThat(state("mine").address()).isNull();

        // when
        objects.apply(
                List.of(ConfigurationChange.delete(
                        ObjectTypes.of(Endpoint.class).keyOf("mine"))),
                ConfigurationStore.ANY_VERSION);

        // then
        await().atMost(PATIENCE).until(() -> !client.isConnected());
        assertThat(neighbour.isConnected()).isTrue();
        assertThat(broker.objectEndpoints()).extracting(EndpointState::name).doesNotContain("mine");
        client.close();
        leave(neighbour);
    }

    @Test
    void shouldMoveToAnotherPortAndKeepItsConnections() throws Exception {
        // given
        int port = FreePort.next();
        int nextPort = FreePort.next();
        change(endpoint("mine", port, ""));
        MqttClient client = connect(port, "anna");

        // when
        change("{\"Endpoint\": {\"mine\": {\"Port\": " + nextPort + "}}}");

        // then
        leave(connect(nextPort, "bert"));
        assertThatThrownBy(() -> connect(port, "carl")).isInstanceOf(MqttException.class);
        assertThat(client.isConnected()).isTrue();
        leave(client);
    }

    @Test
    void shouldLetTwoEndpointsExchangeTheirPorts() throws Exception {
        // given
        int first = FreePort.next();
        int second = FreePort.next();
        change(endpoint("a", first, ""));
        change(endpoint("b", second, ""));

        // when
        change("{\"Endpoint\": {\"a\": {\"Port\": " + second + "}, \"b\": {\"Port\": " + first + "}}}");

        // then
        assertThat(Objects.requireNonNull(state("a").address()).getPort()).isEqualTo(second);
        assertThat(Objects.requireNonNull(state("b").address()).getPort()).isEqualTo(first);
    }

    @Test
    void shouldTakeOnlyMessagesOfTheSizeThatTheEndpointHas() throws Exception {
        // given
        int port = FreePort.next();
        change(endpoint("mine", port, ", \"MaxMessageSize\": \"2KB\""));

        // then
        MqttClient client = connect(port, "anna");
        assertThatThrownBy(() -> client.publish("a", new MqttMessage(new byte[3_000])))
                .isInstanceOf(MqttException.class);
        client.close(true);
    }

    @Test
    void shouldSayWhyAnEndpointCannotListenAndTryAgainWithTheNextChange() throws Exception {
        try (ServerSocket occupant = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // when
            change(endpoint("mine", occupant.getLocalPort(), ""));

            // then
            assertThat(state("mine").address()).isNull();
            assertThat(state("mine").problem()).contains("another process listens there already");
        }

        // when
        change("{\"LogLevel\": \"MAX\"}");

        // then
        assertThat(state("mine").problem()).isNull();
        assertThat(state("mine").address()).isNotNull();
    }

    @Test
    void shouldSpeakWhatTheProtocolListNames() throws Exception {
        // when
        change(endpoint("jms", FreePort.next(), ", \"Protocol\": \"JMS\""));
        change(endpoint("both", FreePort.next(), ", \"Protocol\": \"JMS,MQTT\""));

        // then
        assertThat(state("jms").protocols()).containsExactly("amqp");
        assertThat(state("both").protocols()).containsExactly("mqtt", "websocket", "amqp");
    }

    @Test
    void shouldNotListenInPlainTextWhereItIsToldToBeSafer() throws Exception {
        // given
        change("{\"CertificateProfile\": {\"c\": {\"Certificate\": \"server.pem\", \"Key\": \"server.key\"}},"
                + " \"SecurityProfile\": {\"s\": {\"CertificateProfile\": \"c\"},"
                + " \"strict\": {\"CertificateProfile\": \"c\", \"UseClientCertificate\": true}}}");

        // when
        change(endpoint("secure", FreePort.next(), ", \"SecurityProfile\": \"s\""));
        change(endpoint("strict", FreePort.next(), ", \"SecurityProfile\": \"strict\""));

        // then
        assertThat(state("secure").problem()).contains("server.key");
        assertThat(state("strict").problem()).contains("client certificates");
        assertThat(broker.objectEndpoints()).allMatch(state -> state.address() == null);

        // when the files are there
        Path folder = Files.createDirectories(data.resolve("files"));
        TestAuthority authority = new TestAuthority("Test CA");
        Issued server = authority.issue("localhost");
        server.writeCertificate(folder.resolve("server.pem"));
        server.writeKey(folder.resolve("server.key"));
        change("{\"LogLevel\": \"MAX\"}");

        // then
        EndpointState secure = state("secure");
        assertThat(secure.encrypted()).isTrue();
        try (SSLSocket socket = (SSLSocket) authority
                .clientContext(null, "TLSv1.3")
                .getSocketFactory()
                .createSocket(
                        "127.0.0.1", Objects.requireNonNull(secure.address()).getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.startHandshake();
            assertThat(socket.getSession().getPeerPrincipal().getName()).contains("localhost");
        }
    }

    @Test
    void shouldGiveWayToAnEndpointOfTheStartupFile() throws Exception {
        // given
        int port = FreePort.next();
        change(endpoint("mine", port, ", \"Enabled\": false"));
        stop();
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = start(
                "{\"store\": {\"mode\": \"memory\"}, \"endpoints\": [{\"name\": \"file\", \"port\": " + port + "}]}");
        broker.attach(objects, true);

        // when
        change("{\"Endpoint\": {\"mine\": {\"Enabled\": true}}}");

        // then
        assertThat(state("mine").problem()).contains("endpoint 'file' of the startup file");
        leave(connect(port, "anna"));
    }

    @Test
    void shouldNotListenWhenTheCommandLineSaysWhere() throws Exception {
        // given
        change(endpoint("mine", FreePort.next(), ""));
        stop();
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = start("{\"store\": {\"mode\": \"memory\"}, \"endpoints\": [{\"port\": 0}]}");

        // when
        broker.attach(objects, false);

        // then
        assertThat(broker.objectEndpoints()).isEmpty();
    }

    @Test
    void shouldHoldClientsToThePoliciesOfTheEndpointAtOnce() throws Exception {
        // given
        int port = FreePort.next();
        change("{\"TopicPolicy\": {\"plant\": {\"ClientID\": \"*\", \"Topic\": \"plant/*\","
                + " \"ActionList\": \"Publish,Subscribe\"}}}");
        change(endpoint("mine", port, ", \"TopicPolicies\": \"plant\""));
        MqttClient client = connect(port, "anna");

        // then
        assertThat(isGranted(client, "plant/1")).isTrue();
        assertThat(isGranted(client, "office/1")).isFalse();

        // when
        change("{\"TopicPolicy\": {\"plant\": {\"Topic\": \"office/*\"}}}");

        // then
        assertThat(isGranted(client, "office/1")).isTrue();
        assertThat(isGranted(client, "plant/2")).isFalse();
        leave(client);
    }

    @Test
    void shouldKeepADeletedPolicyUntilItsLastSubscriptionIsGone() throws Exception {
        // given
        int port = FreePort.next();
        change("{\"TopicPolicy\": {\"plant\": {\"ClientID\": \"*\", \"Topic\": \"plant/*\","
                + " \"ActionList\": \"Publish,Subscribe\"}}}");
        change(endpoint("mine", port, ", \"TopicPolicies\": \"plant\""));
        MqttClient client = connect(port, "anna");
        client.subscribe("plant/1", 1);
        change("{\"Endpoint\": {\"mine\": {\"TopicPolicies\": \"DemoTopicPolicy\"}}}");
        ObjectKey plant = ObjectTypes.of(TopicPolicy.class).keyOf("plant");

        // when
        objects.apply(List.of(ConfigurationChange.delete(plant)), ConfigurationStore.ANY_VERSION);

        // then
        assertThat(objects.current().pendingDeletes()).containsExactly(plant);
        client.unsubscribe("plant/1");
        await().atMost(PATIENCE).until(() -> objects.current().find(plant).isEmpty());
        leave(client);
    }

    @Test
    void shouldCloseTheConnectionsThatAnAdministratorNames() throws Exception {
        // given
        int port = FreePort.next();
        change(endpoint("mine", port, ""));
        MqttClient first = connect(port, "plant/1");
        MqttClient second = connect(port, "office/1");

        // when
        int closed = broker.closeConnections(
                connection -> connection.clientId().startsWith("plant/") && connection.address() != null);

        // then
        assertThat(closed).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> !first.isConnected());
        assertThat(second.isConnected()).isTrue();
        first.close();
        leave(second);
    }

    private EndpointState state(String name) {
        return broker.objectEndpoints().stream()
                .filter(state -> state.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }

    private static String endpoint(String name, int port, String more) {
        return "{\"Endpoint\": {\"" + name + "\": {\"Port\": " + port + ", \"Interface\": \"127.0.0.1\","
                + (more.contains("Protocol\":") ? "" : " \"Protocol\": \"MQTT\",")
                + " \"ConnectionPolicies\": \"DemoConnectionPolicy\","
                + (more.contains("TopicPolicies") ? "" : " \"TopicPolicies\": \"DemoTopicPolicy\",")
                + " \"MessageHub\": \"DemoHub\"" + more + "}}}";
    }

    private RunningBroker start(String configuration) throws Exception {
        return OneBroker.start(ConfigurationFile.parse(configuration), data, new DiskStorage(), failure -> {});
    }

    private static MqttClient connect(int port, String clientId) throws MqttException {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, clientId, new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setConnectionTimeout(FRESH_CLIENT_TIMEOUT_S);
        options.setAutomaticReconnect(false);
        client.connect(options);
        return client;
    }

    private static boolean isGranted(MqttClient client, String filter) {
        try {
            return client.subscribe(filter, 1).getReasonCodes()[0] <= 1;
        } catch (MqttException e) {
            return false;
        }
    }

    private static void leave(MqttClient client) throws MqttException {
        client.disconnect();
        client.close();
    }
}
