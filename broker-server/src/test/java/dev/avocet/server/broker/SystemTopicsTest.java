package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttClientException;
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

/** What an administrator's client sees under $SYS, over a disk that can fail. */
class SystemTopicsTest {
    @TempDir
    private Path data;

    private final FaultyStorage disk = new FaultyStorage();
    private final ExecutorService process = Executors.newSingleThreadExecutor();
    private final List<Future<?>> stops = new CopyOnWriteArrayList<>();
    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(data.resolve("store"));
        broker = OneBroker.start(
                ConfigurationFile.parse("""
                        {"serverName": "heron", "ioThreads": 2,
                         "endpoints": [{"name": "field", "port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "sync", "journal": "file", "segmentBytes": 1048576, "diskFreeMinBytes": 0}}
                        """), data, disk, cause -> stops.add(process.submit(() -> broker.close())));
    }

    @AfterEach
    void stop() {
        if (stops.isEmpty()) {
            broker.close();
        }
        process.shutdownNow();
    }

    @Test
    void shouldPublishFiguresToWhoeverHasSubscribed() throws Exception {
        Received received = new Received();
        try (Client watcher = new Client("watcher")) {
            // when
            watcher.subscribe("$SYS/ResourceStatistics/+", received);

            // then
            await().until(() -> received.topics().size() >= 5);
            assertThat(received.topics())
                    .containsExactlyInAnyOrder(
                            "$SYS/ResourceStatistics/Server",
                            "$SYS/ResourceStatistics/Endpoint",
                            "$SYS/ResourceStatistics/Memory",
                            "$SYS/ResourceStatistics/Topic",
                            "$SYS/ResourceStatistics/Store");
            assertThat(received.last("$SYS/ResourceStatistics/Server"))
                    .containsEntry("name", "heron")
                    .containsEntry("connectionsActive", "1")
                    .containsEntry("sessionsConnected", "1");
            assertThat(received.last("$SYS/ResourceStatistics/Endpoint")).containsEntry("endpoints", "field");
            assertThat(received.last("$SYS/ResourceStatistics/Memory")).containsEntry("level", "NORMAL");
            assertThat(received.last("$SYS/ResourceStatistics/Topic")).containsEntry("subscriptions", "1");
            assertThat(received.last("$SYS/ResourceStatistics/Store"))
                    .containsEntry("mode", "sync")
                    .containsEntry("state", "accepting")
                    .containsKey("diskBytes");
        }
    }

    @Test
    void shouldKeepItsTopicsFromWildcardsAtTheFirstLevelAndFromPublishers() throws Exception {
        Received all = new Received();
        Received own = new Received();
        try (Client curious = new Client("curious");
                Client watcher = new Client("watcher")) {
            // given
            curious.subscribe("#", all);
            curious.subscribe("+/ResourceStatistics/Server", all);
            watcher.subscribe("$SYS/#", own);

            // when
            curious.publish("$SYS/ResourceStatistics/Server", "{\"forged\": \"yes\"}".getBytes(StandardCharsets.UTF_8));
            await().until(() -> own.topics().size() >= 5);

            // then
            assertThat(own.count("forged", "yes")).isZero();
            assertThat(all.topics()).isEmpty();
        }
    }

    @Test
    void shouldSayThatTheStoreHasFailedBeforeTheConnectionsEnd() throws Exception {
        // Paho drops what it has received and not handed over when the broker disconnects; this client hands over first
        Mqtt5BlockingClient watcher = com.hivemq.client.mqtt.MqttClient.builder()
                .useMqttVersion5()
                .identifier("watcher")
                .serverHost("127.0.0.1")
                .serverPort(broker.endpoints().get(0).getPort())
                .buildBlocking();
        watcher.connect();
        List<Mqtt5Publish> notices = new CopyOnWriteArrayList<>();
        watcher.toAsync().publishes(MqttGlobalPublishFilter.ALL, notices::add);
        try (Client publisher = new Client("publisher")) {
            // given
            watcher.subscribeWith().topicFilter("$SYS/Notification/#").send();
            disk.failAt(Operation.FORCE, 1, Fault.ERROR);

            // when
            publisher.begin("t", new byte[1]);

            // then
            await().until(() -> !stops.isEmpty());
            stops.get(0).get(40, TimeUnit.SECONDS);
            await().until(() -> !watcher.getState().isConnected());
            assertThat(notices)
                    .extracting(notice -> notice.getTopic().toString())
                    .containsExactly("$SYS/Notification/Store");
            assertThat(members(notices.get(0).getPayloadAsBytes()))
                    .containsEntry("mode", "sync")
                    .containsEntry("state", "failed")
                    .hasEntrySatisfying("reason", reason -> assertThat(reason).isNotBlank());
        }
    }

    @Test
    void shouldSayThatTheDiskIsFullAndThatThereIsRoomAgain() throws Exception {
        Received received = new Received();
        try (Client watcher = new Client("watcher");
                Client publisher = new Client("publisher")) {
            // given
            watcher.subscribe("$SYS/Notification/Store", received);
            disk.capacity(0);

            // when
            for (int i = 0; i < 20 && received.topics().isEmpty(); i++) {
                publisher.begin("t" + i, new byte[60_000]);
            }

            // then
            await().until(() -> received.count("state", "full") == 1);
            assertThat(received.last("$SYS/Notification/Store"))
                    .containsEntry("reason", "there is no room for the journal's next segment");

            // when
            disk.capacity(Long.MAX_VALUE);

            // then
            await().until(() -> received.count("state", "accepting") == 1);
        }
    }

    /** A client of somebody else's making. */
    private final class Client implements AutoCloseable {
        private final MqttClient client;

        Client(String identifier) throws MqttException {
            client = new MqttClient(
                    "tcp://127.0.0.1:" + broker.endpoints().get(0).getPort(), identifier, new MemoryPersistence());
            client.setTimeToWait(10_000);
            client.connect(new MqttConnectionOptions());
        }

        void subscribe(String filter, Received received) throws MqttException {
            client.setCallback(received);
            client.subscribe(filter, 1);
        }

        void publish(String topic, byte[] payload) throws MqttException {
            client.publish(topic, new MqttMessage(payload, 1, true, new MqttProperties()));
        }

        /** Publishes without waiting for an answer; the broker may end the connection instead of giving one. */
        void begin(String topic, byte[] payload) throws MqttException {
            client.setTimeToWait(1);
            try {
                publish(topic, payload);
            } catch (MqttException e) {
                assertThat((short) e.getReasonCode())
                        .isIn(
                                MqttClientException.REASON_CODE_CLIENT_TIMEOUT,
                                MqttClientException.REASON_CODE_SERVER_DISCONNECTED);
            }
        }

        @Override
        public void close() throws MqttException {
            if (client.isConnected()) {
                client.setTimeToWait(10_000);
                client.disconnectForcibly(0, 1_000);
            }
            client.close(true);
        }
    }

    /** The plain members of a JSON object, as text. */
    private static Map<String, String> members(byte[] json) throws IOException {
        Map<String, String> members = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isScalarValue()) {
                    String own = parser.currentName(); // none in an array
                    members.put(
                            own == null ? parser.getParsingContext().getParent().getCurrentName() : own,
                            parser.getText());
                }
            }
        }
        return members;
    }

    /** What came: JSON objects by topic, of which the plain members are kept as text. */
    private static final class Received implements MqttCallback {
        private record One(String topic, Map<String, String> members) {}

        private final List<One> all = new CopyOnWriteArrayList<>();

        @Override
        public void messageArrived(String topic, MqttMessage message) throws IOException {
            all.add(new One(topic, members(message.getPayload())));
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

        List<String> topics() {
            return all.stream().map(One::topic).distinct().toList();
        }

        Map<String, String> last(String topic) {
            return all.stream()
                    .filter(one -> one.topic().equals(topic))
                    .reduce((first, second) -> second)
                    .orElseThrow()
                    .members();
        }

        long count(String name, String value) {
            return all.stream()
                    .filter(one -> value.equals(one.members().get(name)))
                    .count();
        }
    }
}
