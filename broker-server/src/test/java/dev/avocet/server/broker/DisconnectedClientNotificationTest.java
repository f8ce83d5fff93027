package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.testkit.FreePort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What has arrived for clients that are away. */
class DisconnectedClientNotificationTest {
    private static final String TOPIC = "$SYS/DisconnectedClientNotification";
    private static final String NOTIFYING = ", \"DisconnectedClientNotification\": true";

    /** A verifier of "pencil" (RFC 7677 section 3). */
    private static final String USER = """
            {"name": "anna", "salt": "W22ZaJ0SNY7soEsUEjb6gQ==", "iterations": 4096,
             "storedKey": "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=",
             "serverKey": "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="}""";

    private final BlockingQueue<String> notices = new LinkedBlockingQueue<>();

    @TempDir
    private Path data;

    private int port;
    private ConfigurationStore objects;
    private RunningBroker broker;
    private MqttClient watcher;

    @BeforeEach
    void prepare() throws Exception {
        port = FreePort.next();
        start();
        change("{\"TopicPolicy\": {" + policy("loud", "loud/*", NOTIFYING) + ", " + policy("quiet", "*", "") + "}}");
        change("{\"Endpoint\": {\"mine\": {\"Port\": " + port
                + ", \"Interface\": \"127.0.0.1\", \"Protocol\": \"MQTT\","
                + " \"ConnectionPolicies\": \"DemoConnectionPolicy\", \"TopicPolicies\": \"loud,quiet\","
                + " \"MaxMessageSize\": \"64KB\", \"MessageHub\": \"DemoHub\"}}}");
        watch();
    }

    @AfterEach
    void stop() {
        objects.close();
        broker.close();
    }

    @Test
    void shouldTellWhatHasArrivedForAClientThatIsAway() throws Exception {
        // given
        away("phone", "loud/a", "loud/+/b", "quiet/a");

        // when
        publish("loud/a", "loud/a", "loud/x/b", "quiet/a");

        // then
        assertThat(collect("phone", 3)).containsExactlyInAnyOrder("TopicString=loud/a 2", "TopicString=loud/+/b 1");
        publish("loud/a");
        assertThat(collect("phone", 1)).as("what is new").containsExactly("TopicString=loud/a 1");
        assertThat(notices.poll(2, TimeUnit.SECONDS)).as("nothing new").isNull();
    }

    @Test
    void shouldSayNothingOfWhatTheClientKnows() throws Exception {
        // given
        MqttClient phone = connect("phone");
        phone.subscribe(
                new MqttSubscription[] {new MqttSubscription("loud/a", 1)},
                new IMqttMessageListener[] {(topic, message) -> notices.add("received")});
        publish("loud/a");
        assertThat(notices.poll(30, TimeUnit.SECONDS)).isEqualTo("received");
        phone.disconnect();

        // when
        publish("loud/a");

        // then
        assertThat(collect("phone", 1)).containsExactly("TopicString=loud/a 1");
    }

    @Test
    void shouldLeaveOutWhatClientsShare() throws Exception {
        away("worker", "$share/group/loud/a", "loud/b");

        publish("loud/a", "loud/b");

        assertThat(collect("worker", 1)).containsExactly("TopicString=loud/b 1");
        assertThat(notices.poll(2, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void shouldFollowThePolicyWhileTheClientIsAway() throws Exception {
        // given
        away("phone", "loud/a", "quiet/a");
        change("{\"TopicPolicy\": {\"loud\": {\"DisconnectedClientNotification\": false},"
                + " \"quiet\": {\"DisconnectedClientNotification\": true}}}");

        // when
        publish("loud/a", "quiet/a");

        // then
        assertThat(collect("phone", 1)).containsExactly("TopicString=quiet/a 1");
    }

    @Test
    void shouldAddUpWhileNobodyListensAndCountWhatWaitsAfterARestart() throws Exception {
        // given
        away("phone", "loud/a");
        watcher.disconnect();
        publish("loud/a", "loud/a");

        // when
        stop();
        start();
        publish("loud/a");
        watch();

        // then
        assertThat(collect("phone", 3)).containsExactly("TopicString=loud/a 3");
    }

    @Test
    void shouldNameTheUserAlsoAfterARestart() throws Exception {
        // given
        MqttConnectionOptions options = options();
        options.setUserName("anna");
        options.setPassword("pencil".getBytes(StandardCharsets.UTF_8));
        MqttClient phone = connect("phone", options);
        phone.subscribe("loud/a", 1);
        phone.disconnect();

        // when
        stop();
        start();
        watch();
        publish("loud/a");

        // then
        assertThat(next()).contains("\"UserID\":\"anna\"");
    }

    private List<String> collect(String clientId, int messages) throws Exception {
        List<String> all = new ArrayList<>();
        int count = 0;
        while (count < messages) {
            Map<?, ?> notice = (Map<?, ?>) JsonTree.parse("notice", next());
            assertThat(notice.get("ClientId")).isEqualTo(clientId);
            assertThat(notice.get("UserID")).isEqualTo("");
            for (Object each : (List<?>) Objects.requireNonNull(notice.get("MessagesArrived"))) {
                Map<?, ?> arrived = (Map<?, ?>) each;
                int some = ((Number) Objects.requireNonNull(arrived.get("MessageCount"))).intValue();
                count += some;
                all.add("TopicString=" + arrived.get("TopicString") + ' ' + some);
            }
        }
        return all;
    }

    private String next() throws InterruptedException {
        return String.valueOf(notices.poll(30, TimeUnit.SECONDS));
    }

    private void away(String clientId, String... filters) throws MqttException {
        MqttClient client = connect(clientId);
        for (String filter : filters) {
            client.subscribe(filter, 1);
        }
        client.disconnect();
        client.close();
    }

    private void publish(String... topics) throws MqttException {
        MqttClient publisher = connect("publisher");
        for (String topic : topics) {
            publisher.publish(topic, new byte[1], 1, false);
        }
        publisher.disconnect();
        publisher.close();
    }

    /** Without a session that outlives the connection, which would have notices come before there is a listener. */
    private void watch() throws MqttException {
        MqttConnectionOptions options = options();
        options.setCleanStart(true);
        options.setSessionExpiryInterval(0L);
        watcher = connect("watcher", options);
        watcher.subscribe(new MqttSubscription[] {new MqttSubscription(TOPIC, 1)}, new IMqttMessageListener[] {
            (topic, message) -> notices.add(new String(message.getPayload(), StandardCharsets.UTF_8))
        });
    }

    private MqttClient connect(String clientId) throws MqttException {
        return connect(clientId, options());
    }

    private MqttClient connect(String clientId, MqttConnectionOptions options) throws MqttException {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, clientId, new MemoryPersistence());
        client.connect(options);
        return client;
    }

    private static MqttConnectionOptions options() {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(false);
        options.setSessionExpiryInterval(1_000L);
        options.setAutomaticReconnect(false);
        return options;
    }

    private static String policy(String name, String topics, String more) {
        return "\"" + name + "\": {\"ClientID\": \"*\", \"Topic\": \"" + topics
                + "\", \"ActionList\": \"Publish,Subscribe\"" + more + "}";
    }

    private void start() throws Exception {
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2, "mqtt": {"disconnectedClientNotificationSeconds": 1},
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 1048576},
                         "security": {"allowAnonymous": "always", "users": [%s]}}
                        """.formatted(USER)), data, new DiskStorage(), failure -> {});
        broker.attach(objects, true);
    }

    private void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }
}
