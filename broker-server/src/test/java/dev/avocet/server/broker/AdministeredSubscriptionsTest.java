package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.broker.SessionAdministration.Ending;
import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.AdminSubscription;
import dev.avocet.core.config.object.messaging.DurableNamespaceAdminSub;
import dev.avocet.core.config.object.messaging.NonpersistentAdminSub;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.server.broker.content.ClientAdministration;
import dev.avocet.server.broker.content.Page;
import dev.avocet.server.broker.content.SessionFacts;
import dev.avocet.server.broker.content.SubscriptionFacts;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shared subscriptions that administrators make, over restarts of the broker. */
class AdministeredSubscriptionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectKey MIXED =
            ObjectTypes.of(AdminSubscription.class).keyOf("/group/t");
    private static final ObjectKey DURABLE =
            ObjectTypes.of(DurableNamespaceAdminSub.class).keyOf("group");
    private static final ObjectKey NOT_DURABLE =
            ObjectTypes.of(NonpersistentAdminSub.class).keyOf("group");

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @TempDir
    private Path data;

    private ConfigurationStore objects;
    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2,
                         "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 1048576}}
                        """), data, new DiskStorage(), failure -> {});
        broker.attach(objects, false);
    }

    @AfterEach
    void stop() {
        objects.close();
        broker.close();
    }

    @Test
    void shouldKeepTheirMessagesOverARestart() throws Exception {
        // given
        change("{\"AdminSubscription\": {\"/group/t\": {\"SubscriptionPolicy\": \"DemoSubscriptionPolicy\"}},"
                + " \"DurableNamespaceAdminSub\": {\"group\": {\"TopicFilter\": \"t\","
                + " \"SubscriptionPolicy\": \"DemoSubscriptionPolicy\"}},"
                + " \"NonpersistentAdminSub\": {\"group\": {\"TopicFilter\": \"t\","
                + " \"TopicPolicy\": \"DemoTopicPolicy\"}}}");
        publish("kept");

        // when
        restart();

        // then
        MqttClient mixed = consumer("mixed", 1_000L, "$share/group/t");
        assertThat(next()).isEqualTo("kept");
        MqttClient durable = consumer("durable", 1_000L, "$SharedSubscription/group/t");
        assertThat(next()).isEqualTo("kept");
        MqttClient notDurable = consumer("not-durable", 0L, "$SharedSubscription/group/t");
        publish("new");
        assertThat(List.of(next(), next(), next())).containsOnly("new");
        mixed.disconnect();
        durable.disconnect();
        notDurable.disconnect();
    }

    @Test
    void shouldBeginAgainAfterARestartWithTheRetainedMessagesThatSurvived() throws Exception {
        // given
        change("{\"NonpersistentAdminSub\": {\"group\": {\"TopicFilter\": \"t\","
                + " \"TopicPolicy\": \"DemoTopicPolicy\"}}}");
        MqttClient publisher = connect("publisher", 0);
        publisher.publish("t", "retained".getBytes(StandardCharsets.UTF_8), 1, true);
        publisher.disconnect();

        // when
        restart();

        // then
        MqttClient consumer = consumer("consumer", 0L, "$SharedSubscription/group/t");
        assertThat(next()).isEqualTo("retained");
        consumer.disconnect();
    }

    @Test
    void shouldShowThemAndNotTheirKeepers() throws Exception {
        // given
        change("{\"AdminSubscription\": {\"/group/t\": {\"SubscriptionPolicy\": \"DemoSubscriptionPolicy\"}}}");
        ClientAdministration clients = Objects.requireNonNull(broker.clients());

        // when
        Page<SessionFacts> sessions = new Page<>("", 10);
        clients.sessions(facts -> true, sessions);
        Page<SubscriptionFacts> subscriptions = new Page<>("", 10);
        clients.subscriptions(facts -> true, subscriptions);

        // then
        assertThat(sessions.content()).isEmpty();
        assertThat(subscriptions.content()).singleElement().satisfies(facts -> {
            assertThat(facts.id()).isEqualTo(new SubscriptionId("__SharedM", "/group/t"));
            assertThat(facts.administered()).isTrue();
            assertThat(facts.members()).isZero();
            assertThat(facts.qos()).isEqualTo(1);
        });
        String keeper = "__admin AdminSubscription /group/t";
        assertThat(clients.isThere(keeper)).isFalse();
        assertThat(clients.endSession(keeper, true)).isEqualTo(Ending.NOT_FOUND);
        assertThat(clients.endSubscription(new SubscriptionId(keeper, "$share/group/t"), true))
                .isEqualTo(Ending.NOT_FOUND);
        assertThat(clients.endSubscription(new SubscriptionId("__SharedM", "/group/t"), true))
                .isEqualTo(Ending.ADMINISTERED);
    }

    @Test
    void shouldRefuseDeletionWhileClientsShare() throws Exception {
        // given
        change("{\"AdminSubscription\": {\"/group/t\": {\"SubscriptionPolicy\": \"DemoSubscriptionPolicy\"}}}");
        MqttClient consumer = consumer("consumer", 1_000L, "$share/group/t");

        // when, then
        assertThatThrownBy(() -> delete(MIXED, Set.of()))
                .isInstanceOf(ConfigurationRefusedException.class)
                .hasMessageContaining("DiscardSharers=true");

        // when
        delete(MIXED, Set.of(DeleteOption.DISCARD_SHARERS));

        // then
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> objects.current().find(MIXED).isEmpty());
        publish("nobody gets it");
        restart();
        assertThat(broker.closeConnections(connection -> true)).isZero();
        assertThat(received).isEmpty();
        consumer.close(true);
    }

    @Test
    void shouldBeGoneForGoodOnceDeleted() throws Exception {
        // given
        change("{\"DurableNamespaceAdminSub\": {\"group\": {\"TopicFilter\": \"t\","
                + " \"SubscriptionPolicy\": \"DemoSubscriptionPolicy\"}}}");
        publish("lost with it");

        // when
        delete(DURABLE, Set.of());
        restart();
        change("{\"DurableNamespaceAdminSub\": {\"group\": {\"TopicFilter\": \"t\","
                + " \"SubscriptionPolicy\": \"DemoSubscriptionPolicy\"}}}");
        publish("new");

        // then
        MqttClient consumer = consumer("consumer", 1_000L, "$SharedSubscription/group/t");
        assertThat(next()).isEqualTo("new");
        assertThat(objects.current().find(NOT_DURABLE)).isEmpty();
        consumer.disconnect();
    }

    @Test
    void shouldKeepWhatASelectionTakesOverARestart() throws Exception {
        // given
        MqttClient selecting = connect("selecting", 1_000L);
        selecting.subscribe("$select/QoS>0/t", 1);
        selecting.disconnect();

        // when
        restart();
        MqttClient back = connect("selecting", 1_000L);
        MqttClient publisher = connect("publisher", 0);
        publisher.publish("t", new MqttMessage("0".getBytes(StandardCharsets.UTF_8), 0, false, null));
        publisher.publish("t", new MqttMessage("1".getBytes(StandardCharsets.UTF_8), 1, false, null));

        // then
        assertThat(next()).isEqualTo("1");
        publisher.disconnect();
        back.disconnect();
    }

    private void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }

    private void delete(ObjectKey key, Set<DeleteOption> options) throws Exception {
        objects.apply(List.of(new ConfigurationChange.Delete(key, options)), ConfigurationStore.ANY_VERSION);
    }

    private void restart() throws Exception {
        stop();
        start();
    }

    private void publish(String text) throws MqttException {
        MqttClient publisher = connect("publisher", 0);
        publisher.publish("t", text.getBytes(StandardCharsets.UTF_8), 1, false);
        publisher.disconnect();
        publisher.close();
    }

    private MqttClient consumer(String clientId, long expirySeconds, String filter) throws MqttException {
        MqttClient client = connect(clientId, expirySeconds);
        client.subscribe(filter, 1);
        return client;
    }

    private MqttClient connect(String clientId, long expirySeconds) throws MqttException {
        int port = broker.endpoints().get(0).getPort();
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, clientId, new MemoryPersistence());
        client.setCallback(new Receiver(received));
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(expirySeconds == 0);
        options.setSessionExpiryInterval(expirySeconds);
        options.setAutomaticReconnect(false);
        client.connect(options);
        return client;
    }

    private String next() throws InterruptedException {
        return String.valueOf(received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    private record Receiver(BlockingQueue<String> received) implements MqttCallback {
        @Override
        public void messageArrived(String topic, MqttMessage message) {
            received.add(new String(message.getPayload(), StandardCharsets.UTF_8));
        }

        @Override
        public void disconnected(MqttDisconnectResponse response) {}

        @Override
        public void mqttErrorOccurred(MqttException exception) {}

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String serverUri) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }
}
