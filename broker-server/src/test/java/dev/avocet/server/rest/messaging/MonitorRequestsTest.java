package dev.avocet.server.rest.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.TopicMonitor;
import dev.avocet.server.admin.AdminServer;
import dev.avocet.server.admin.Health;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.rest.RestApi;
import dev.avocet.server.store.StoreHealth;
import dev.avocet.server.users.UserDirectory;
import dev.avocet.testkit.CheapHasher;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of a broker with a store through which real clients have sent messages. */
@InTurn
class MonitorRequestsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PAYLOAD_BYTES = 100;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<MqttClient> clients = new ArrayList<>();

    @TempDir
    private Path data;

    private ConfigurationStore objects;
    private RunningBroker broker;
    private AdminServer server;
    private int port;
    private @Nullable String login;

    @BeforeEach
    void start() throws Exception {
        port = FreePort.next();
        SecureRandom random = new SecureRandom();
        Files.createDirectories(data.resolve("security"));
        Files.createDirectories(data.resolve("store"));
        UserDirectory.open(data.resolve("security/users.json"), CheapHasher.create(), random)
                .addUser("otto", "other".toCharArray(), List.of());
        objects = ConfigurationStore.open(data.resolve("config"));
        change("""
                {"TopicPolicy": {
                   "Few": {"Topic": "few/*", "ClientID": "*", "ActionList": "Publish,Subscribe", "MaxMessages": 5,
                           "RejectScope": "FullSubscriber"},
                   "New": {"Topic": "new/*", "ClientID": "*", "ActionList": "Publish,Subscribe", "MaxMessages": 20,
                           "MaxMessagesBehavior": "DiscardOldMessages"},
                   "All": {"Topic": "all/*", "ClientID": "*", "ActionList": "Publish,Subscribe", "MaxMessages": 4}},
                 "Endpoint": {
                   "DemoMqttEndpoint": {"Enabled": false},
                   "plant": {"Port": PORT, "Interface": "127.0.0.1", "Protocol": "MQTT", "MessageHub": "DemoHub", "MaxMessageSize": "64KB",
                             "ConnectionPolicies": "DemoConnectionPolicy", "TopicPolicies": "Few,New,All"}}}
                """.replace("PORT", Integer.toString(port)));
        broker = OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2, "security": {"userFile": true},
                         "endpoints": [{"name": "field", "port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 1048576, "diskFreeMinBytes": 0}}
                        """), data, failure -> {});
        broker.attach(objects, true);
        RestApi api = new RestApi(
                objects, () -> new Health(Health.Status.RUNNING, "1", 1, List.of(), StoreHealth.ofMemory("os")), false);
        api.administer(broker);
        server = AdminServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                () -> new Health(Health.Status.RUNNING, "1", 1, List.of(), StoreHealth.ofMemory("os")),
                api);
    }

    @AfterEach
    void stop() throws Exception {
        for (MqttClient client : clients) {
            if (client.isConnected()) {
                client.disconnectForcibly(0, 1_000);
            }
            client.close(true);
        }
        server.close();
        objects.close();
        broker.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Server", "Endpoint", "Subscription", "Store", "Nothing"})
    void shouldTellNobodyWithoutPasswordOrAuthority(String object) throws Exception {
        // given
        change("{\"AdminUserPassword\": \"pencil\", \"ConfigurationPolicy\": {\"P\": {\"UserID\": \"vera\","
                + " \"ActionList\": \"Monitor\"}}, \"AdminEndpoint\": {\"ConfigurationPolicies\": \"P\"}}");

        // then
        assertThat(get("/api/v1/monitor/" + object).statusCode()).isEqualTo(401);

        // when
        login = "otto:other";

        // then
        assertThat(get("/ima/v1/monitor/" + object).statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"View", "Monitor", "Manage", "Configure"})
    void shouldTellWhoeverHasAnyAuthority(String authority) throws Exception {
        // given
        change("{\"AdminUserPassword\": \"pencil\", \"ConfigurationPolicy\": {\"P\": {\"UserID\": \"otto\","
                + " \"ActionList\": \"" + authority + "\"}}, \"AdminEndpoint\": {\"ConfigurationPolicies\": \"P\"}}");
        login = "otto:other";

        // then
        for (String object : List.of("Server", "Endpoint", "Connection", "Memory", "Transaction")) {
            assertThat(get("/ima/v1/monitor/" + object).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldTellPageAfterPage() throws Exception {
        // given
        change("{\"Queue\": {\"d\": {}, \"b\": {}, \"a\": {}, \"e\": {}, \"c\": {}}}");
        String page = "/api/v1/monitor/Queue?StatType=BufferedMsgsHighest&ResultCount=2&ResultOffset=";

        // then: they are equal but for their names
        assertThat(names(page + 0)).containsExactly("a", "b");
        assertThat(names(page + 2)).containsExactly("c", "d");
        assertThat(names(page + 4)).containsExactly("e");
        assertThat(names(page + 5)).isEmpty();
        assertThat(json(get(page + 4))).containsEntry("Found", 5L);
        assertThat(names("/api/v1/monitor/Queue?StatType=AllUnsorted&ResultCount=2&ResultOffset=1"))
                .containsExactly("b", "c");
        assertThat(get(page + "x").statusCode()).isEqualTo(400);
        assertThat(get(page + "100000").statusCode()).isEqualTo(400);
        assertThat(get("/api/v1/monitor/Queue?ResultCount=All&ResultOffset=1").body())
                .contains("100000 together at most");
    }

    private List<Object> names(String path) throws Exception {
        List<Object> names = new ArrayList<>();
        ((List<?>) json(get(path)).get("Queue")).forEach(row -> names.add(((Map<?, ?>) row).get("Name")));
        return names;
    }

    @Test
    void shouldTellEachFigureOfSubscriptions() throws Exception {
        // given
        MqttClient publisher = connect("publisher", 0);
        subscribeAndLeave("few", "few/+");
        subscribeAndLeave("new", "new/+");
        subscribeAndLeave("old", "old/+", "field");
        connect("shared1", 0).subscribe("$share/workers/all/#", 1);
        connect("shared2", 0).subscribe("$share/workers/all/#", 1);

        // when: 5 of 8 fit; 20 of 30 fit, and room is made for more than one at a time; 2 of 3 expire
        publish(publisher, "few/1", 8);
        publish(publisher, "new/1", 30);
        publish(publisher, "all/1", 3);
        MqttClient elsewhere = connect("elsewhere", 0, "field");
        publish(elsewhere, "old/1", 1);
        publishExpiring(elsewhere, "old/1", 2);

        // then
        assertThat(one("Subscription", "ClientID", "few"))
                .contains(
                        entry("SubName", "few/+"),
                        entry("TopicString", "few/+"),
                        entry("ClientID", "few"),
                        entry("IsDurable", true),
                        entry("IsShared", false),
                        entry("BufferedMsgs", 5L),
                        entry("BufferedMsgsHWM", 5L),
                        entry("BufferedPercent", 100.0),
                        entry("BufferedHWMPercent", 100.0),
                        entry("MaxMessages", 5L),
                        entry("PublishedMsgs", 5L),
                        entry("RejectedMsgs", 3L),
                        entry("DiscardedMsgs", 0L),
                        entry("ExpiredMsgs", 0L),
                        entry("Consumers", 0L),
                        entry("MessagingPolicy", "Few"),
                        entry("PolicyType", "TopicPolicy"),
                        entry("ConfigType", ""));
        Map<String, Object> discarding = one("Subscription", "MessagingPolicy", "Ne*");
        long discarded = (long) discarding.get("DiscardedMsgs");
        assertThat(discarded).isBetween(10L, 12L);
        assertThat(discarding)
                .contains(
                        entry("PublishedMsgs", 30L),
                        entry("BufferedMsgs", 30 - discarded),
                        entry("RejectedMsgs", 0L),
                        entry("BufferedPercent", 5.0 * (30 - discarded)));
        assertThat((long) discarding.get("BufferedMsgsHWM")).isBetween(20L, 21L);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(one("Subscription", "ClientID", "old"))
                        .contains(
                                entry("PublishedMsgs", 3L),
                                entry("ExpiredMsgs", 2L),
                                entry("BufferedMsgs", 1L),
                                entry("MessagingPolicy", "")));
        assertThat(one("Subscription", "SubType", "Shared"))
                .contains(
                        entry("SubName", "/workers/all/#"),
                        entry("TopicString", "all/#"),
                        entry("ClientID", "__SharedM"),
                        entry("IsShared", true),
                        entry("IsDurable", false),
                        entry("PublishedMsgs", 3L),
                        entry("Consumers", 2L));
        assertThat(names("Subscription", "SubName", "SubType", "Durable"))
                .containsExactlyInAnyOrder("few/+", "new/+", "old/+");
        assertThat(names("Subscription", "SubName", "SubType", "Nondurable")).containsExactly("/workers/all/#");
        assertThat(names("Subscription", "SubName", "SubType", "Admin")).isEmpty();

        // and: what comes first is what was asked for
        assertThat(names("Subscription", "SubName", "StatType", "PublishedMsgsHighest"))
                .startsWith("new/+", "few/+");
        assertThat(names("Subscription", "SubName", "StatType", "RejectedMsgsHighest", "ResultCount", "1"))
                .containsExactly("few/+");
        assertThat(names("Subscription", "SubName", "StatType", "BufferedPercentLowest"))
                .startsWith("old/+");
        assertThat(ask("Subscription", "ResultCount", "1")).containsEntry("Found", 4L);
    }

    @Test
    void shouldTellWhatWentThroughConnectionsAndEndpoints() throws Exception {
        // given
        Instant before = Instant.now().minusSeconds(1);
        MqttClient sink = connect("sink", 0);
        sink.subscribe("few/#", 0);
        MqttClient source = connect("source", 0);
        subscribeAndLeave("away", "few/+");

        // when
        for (long sent = 1; sent <= 7; sent++) {
            publish(source, "few/1", 1);
            Map.Entry<String, Object> arrived = entry("WriteMsg", sent); // its queue takes five at a time
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(one("Connection", "ClientID", "sink")).contains(arrived));
        }
        publish(source, "none/1", 1); // no policy allows it

        // then
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(one("Connection", "ClientID", "sink"))
                        .contains(
                                entry("Name", "sink"),
                                entry("Protocol", "mqtt"),
                                entry("ClientAddr", "127.0.0.1"),
                                entry("UserId", ""),
                                entry("Endpoint", "plant"),
                                entry("Port", (long) port),
                                entry("ReadMsg", 0L),
                                entry("WriteMsg", 7L)));
        Map<String, Object> sending = one("Connection", "Name", "sour*");
        assertThat(sending).contains(entry("ReadMsg", 8L), entry("WriteMsg", 0L));
        assertThat((long) sending.get("ReadBytes")).isGreaterThan(8 * PAYLOAD_BYTES);
        assertThat((long) sending.get("Duration")).isPositive();
        assertThat(Instant.parse((String) sending.get("ConnectTime"))).isBetween(before, Instant.now());
        assertThat(names("Connection", "Name")).containsExactly("source", "sink");
        assertThat(names("Connection", "Name", "StatType", "OldestConnection")).containsExactly("sink", "source");
        assertThat(names("Connection", "Name", "Endpoint", "field")).isEmpty();

        Map<String, Object> endpoint = one("Endpoint", "Name", "plant");
        assertThat(endpoint)
                .contains(
                        entry("IPAddr", "127.0.0.1"),
                        entry("Port", (long) port),
                        entry("Enabled", true),
                        entry("Active", 2L),
                        entry("Total", 3L),
                        entry("Messages", 15L),
                        entry("ReadMsgs", 8L),
                        entry("WriteMsgs", 7L),
                        entry("LostMsgs", 1L),
                        entry("WarnMsgs", 2L), // 5 of 7 fit into what is away
                        entry("BadConnections", 0L),
                        entry("LastErrorCode", 0L));
        assertThat((long) endpoint.get("Bytes"))
                .isEqualTo((long) endpoint.get("ReadBytes") + (long) endpoint.get("WriteBytes"));
        assertThat(one("Endpoint", "Name", "field")).contains(entry("Total", 0L), entry("Messages", 0L));
        assertThat(names("Endpoint", "Name")).contains("plant", "field", "DemoMqttEndpoint");
        assertThat(names("Endpoint", "Name", "StatType", "ReadMsgs", "ResultCount", "1"))
                .containsExactly("plant");
        assertThat(single("Server"))
                .contains(
                        entry("ActiveConnections", 2L),
                        entry("TotalConnections", 3L),
                        entry("MsgRead", 8L),
                        entry("MsgWrite", 7L),
                        entry("BytesRead", endpoint.get("ReadBytes")),
                        entry("BytesWrite", endpoint.get("WriteBytes")),
                        entry("TotalEndpoints", 4L),
                        entry("BufferedMessages", 5L),
                        entry("RetainedMessages", 0L),
                        entry("ClientSessions", 3L));
    }

    @Test
    void shouldTellOfEndpointsThatCannotListenAndOfConnectionsThatSayNothing() throws Exception {
        // given
        int taken = broker.endpoints().get(0).getPort();
        change("{\"Endpoint\": {\"taken\": {\"Port\": " + taken
                + ", \"Interface\": \"127.0.0.1\", \"Protocol\": \"MQTT\","
                + " \"ConnectionPolicies\": \"DemoConnectionPolicy\", \"TopicPolicies\": \"All\","
                + " \"MaxMessageSize\": \"64KB\", \"MessageHub\": \"DemoHub\"}}}");

        // when
        new Socket(InetAddress.getLoopbackAddress(), port).close();

        // then
        assertThat(one("Endpoint", "Name", "taken"))
                .contains(entry("LastErrorCode", 155L), entry("IPAddr", ""), entry("Port", 0L))
                .hasEntrySatisfying(
                        "ErrorMessage",
                        message -> assertThat(message).asString().contains("port " + taken));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(one("Endpoint", "Name", "plant")).contains(entry("BadConnections", 1L)));
    }

    @Test
    void shouldCountWhatIsPublishedToWatchedTopics() throws Exception {
        // given
        MqttClient publisher = connect("publisher", 0);
        connect("sink", 0, "field").subscribe(new String[] {"few/a/#", "new/1", "+/a"}, new int[] {0, 0, 0});
        subscribeAndLeave("away", "few/+");
        subscribeAndLeave("full", "all/1");
        publish(publisher, "few/a", 1);

        // when
        change("{\"TopicMonitor\": {\"few/#\": {}, \"few/a/#\": {}, \"all/#\": {}}}");
        publish(publisher, "few/a", 4);
        publish(publisher, "few/b", 2);
        publish(publisher, "new/1", 1);
        publish(publisher, "all/1", 4);
        publish(publisher, "all/1", 1); // one too many

        // then
        assertThat(one("Topic", "TopicString", "few/#"))
                .contains(
                        entry("TopicString", "few/#"),
                        entry("Subscriptions", 3L),
                        entry("PublishedMsgs", 6L),
                        entry("RejectedMsgs", 2L),
                        entry("FailedPublishes", 0L))
                .hasEntrySatisfying(
                        "ResetTime",
                        time -> assertThat(Instant.parse((String) time))
                                .isBetween(Instant.now().minusSeconds(60), Instant.now()));
        assertThat(one("Topic", "TopicString", "few/a/#"))
                .contains(entry("Subscriptions", 3L), entry("PublishedMsgs", 4L), entry("RejectedMsgs", 0L));
        assertThat(one("Topic", "TopicString", "all/#"))
                .contains(
                        entry("Subscriptions", 2L),
                        entry("PublishedMsgs", 4L),
                        entry("RejectedMsgs", 1L),
                        entry("FailedPublishes", 1L));
        assertThat(names("Topic", "TopicString", "StatType", "FailedPublishesHighest", "ResultCount", "1"))
                .containsExactly("all/#");

        // when
        objects.apply(
                List.of(ConfigurationChange.delete(
                        ObjectTypes.of(TopicMonitor.class).keyOf("few/#"))),
                ConfigurationStore.ANY_VERSION);

        // then
        assertThat(names("Topic", "TopicString")).containsExactlyInAnyOrder("few/a/#", "all/#");

        // when
        change("{\"TopicMonitor\": {\"few/#\": {}}}");
        publish(publisher, "few/a", 1);

        // then
        assertThat(one("Topic", "TopicString", "few/#")).contains(entry("PublishedMsgs", 1L));
        assertThat(one("Topic", "TopicString", "few/a/#")).contains(entry("PublishedMsgs", 5L));
    }

    @Test
    void shouldTellWhichClientsAreAway() throws Exception {
        // given
        connect("here", 60).subscribe("few/1", 1);
        subscribeAndLeave("first", "few/1");
        subscribeAndLeave("second", "few/1");

        // then
        assertThat(names("MQTTClient", "ClientID")).containsExactly("first", "second");
        assertThat(names("MQTTClient", "ClientID", "ConnectionState", "Connected"))
                .containsExactly("here");
        assertThat(names("MQTTClient", "ClientID", "ConnectionState", "All", "ClientID", "*s*"))
                .containsExactly("first", "second");
        assertThat(one("MQTTClient", "ClientID", "first"))
                .contains(
                        entry("IsConnected", false),
                        entry("Protocol", "mqtt"),
                        entry("SessionExpirySeconds", 3_600L),
                        entry("Subscriptions", 1L))
                .hasEntrySatisfying(
                        "LastConnectedTime",
                        time -> assertThat(Instant.parse((String) time))
                                .isBetween(Instant.now().minusSeconds(60), Instant.now()));
    }

    @Test
    void shouldTellOfMemoryAndStore() throws Exception {
        // given
        subscribeAndLeave("few", "few/+");
        publish(connect("publisher", 0), "few/1", 5);

        // then
        Map<String, Object> memory = single("Memory");
        assertThat(memory)
                .containsEntry("MemoryTotalBytes", Runtime.getRuntime().maxMemory())
                .containsEntry("Destinations", 100L)
                .containsEntry("ClientStates", 1_200L)
                .containsEntry("MemoryLevel", "NORMAL");
        assertThat((long) memory.get("MessagePayloads")).isGreaterThan(5 * PAYLOAD_BYTES);
        assertThat((double) memory.get("MemoryFreePercent")).isBetween(50.0, 100.0);
        assertThat((long) memory.get("ServerResidentSetBytes")).isGreaterThan(10 << 20);
        assertThat((long) memory.get("ServerVirtualMemoryBytes"))
                .isGreaterThan((long) memory.get("ServerResidentSetBytes"));
        Map<String, Object> store = single("Store");
        assertThat(store)
                .containsEntry("mode", "os")
                .containsEntry("state", "accepting")
                .containsEntry("liveReferences", 5L)
                .containsEntry("LiveReferences", 5L)
                .containsKeys("DiskFreeBytes", "MemoryUsedPercent", "commitLatencyUs");
        assertThat((long) store.get("DiskUsedPercent")).isBetween(0L, 100L);
        assertThat((long) store.get("MemoryUsedBytes")).isGreaterThan(5 * PAYLOAD_BYTES);
    }

    @ParameterizedTest
    @CsvSource({"Endpoint, ReadMsgs", "Memory, HeapUsedBytes", "Store, DiskFreeBytes"})
    void shouldTellHowItWas(String object, String figure) throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Map<?, ?> history = (Map<?, ?>) ask(object, "SubType", "History", "StatType", figure, "Duration", "60")
                    .get(object);
            assertThat(history.get("Interval")).isEqualTo(5L);
            assertThat(history.get("StatType")).isEqualTo(figure);
            assertThat((List<?>) history.get("Data")).isNotEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Subscriptions|404|did you mean 'Subscription'? there are: Server, Endpoint,",
                "Cluster|404|there are: Server, Endpoint,",
                "Subscription?SubNam=x|400|did you mean 'SubName'? it takes: SubName, TopicString,",
                "Subscription?StatType=PublishdMsgsHighest|400|did you mean 'PublishedMsgsHighest'? it is one of:",
                "Subscription?SubType=Some|400|SubType cannot be 'Some'; it is one of: All, Durable,",
                "Subscription?ResultCount=0|400|ResultCount is a number from 1 to 100000, or All, not '0'",
                "Server?Name=x|400|Server does not know 'Name'; it takes nothing",
                "Endpoint?SubType=History&Name=plan|404|there is no endpoint 'plan', did you mean 'plant'?",
                "Endpoint?SubType=History&Duration=1d|400|Duration is a number of seconds from 1 to 86400, not '1d'",
                "Memory?SubType=History&StatType=Heap|400|it is one of: MemoryTotalBytes,",
                "Endpoint?Name=a&Name=b|400|Name is given more than once",
            })
    void shouldSayWhatCanBeAsked(String question, int status, String message) throws Exception {
        HttpResponse<String> answer = get("/api/v1/monitor/" + question);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat((String) json(answer).get("Message")).contains(message);
    }

    @Test
    void shouldDescribeWhatCanBeAsked() throws Exception {
        String description = get("/api/v1/openapi.json").body();
        assertThat(description).contains("/monitor/Subscription", "BufferedHWMPercentHighest", "RejectedMsgs");
        for (String object : List.of("Server", "Connection", "Topic", "MQTTClient", "Store", "Transaction")) {
            assertThat(description).contains("\"/monitor/" + object + "\"");
        }
    }

    private MqttClient connect(String clientId, long expirySeconds) throws MqttException {
        return connect(clientId, expirySeconds, "plant");
    }

    private MqttClient connect(String clientId, long expirySeconds, String endpoint) throws MqttException {
        int where = endpoint.equals("plant") ? port : broker.endpoints().get(0).getPort();
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + where, clientId, new MemoryPersistence());
        client.setTimeToWait(10_000);
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setSessionExpiryInterval(expirySeconds);
        client.connect(options);
        clients.add(client);
        return client;
    }

    private void subscribeAndLeave(String clientId, String filter) throws MqttException {
        subscribeAndLeave(clientId, filter, "plant");
    }

    private void subscribeAndLeave(String clientId, String filter, String endpoint) throws MqttException {
        MqttClient client = connect(clientId, 3_600, endpoint);
        client.subscribe(filter, 1);
        client.disconnect();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(names("MQTTClient", "ClientID")).contains(clientId));
    }

    private static void publish(MqttClient publisher, String topic, int count) throws MqttException {
        for (int i = 0; i < count; i++) {
            publisher.publish(topic, new MqttMessage(new byte[PAYLOAD_BYTES], 1, false, new MqttProperties()));
        }
    }

    private static void publishExpiring(MqttClient publisher, String topic, int count) throws MqttException {
        MqttProperties properties = new MqttProperties();
        properties.setMessageExpiryInterval(1L);
        for (int i = 0; i < count; i++) {
            publisher.publish(topic, new MqttMessage(new byte[1], 1, false, properties));
        }
    }

    private void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }

    private Map<String, Object> one(String object, String... question) throws Exception {
        List<Map<String, Object>> found = rows(object, question);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private List<Object> names(String object, String column, String... question) throws Exception {
        return rows(object, question).stream().map(row -> row.get(column)).toList();
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> rows(String object, String... question) throws Exception {
        return (List<Map<String, Object>>) ask(object, question).get(object);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> single(String object) throws Exception {
        return (Map<String, Object>) ask(object).get(object);
    }

    private Map<String, Object> ask(String object, String... question) throws Exception {
        Map<String, String> query = new LinkedHashMap<>();
        for (int i = 0; i < question.length; i += 2) {
            query.put(question[i], URLEncoder.encode(question[i + 1], UTF_8));
        }
        String text = query.isEmpty()
                ? ""
                : "?"
                        + String.join(
                                "&",
                                query.entrySet().stream().map(Object::toString).toList());
        HttpResponse<String> answer = get("/ima/v1/monitor/" + object + text);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(json(answer)).containsEntry("Version", "v1");
        return json(answer);
    }

    private HttpResponse<String> get(String path) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        if (login != null) {
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)));
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> json(HttpResponse<String> answer) throws Exception {
        return (Map<String, Object>) plain(JsonTree.parse("answer", answer.body()));
    }

    /** Numbers as Long or Double. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            Map<String, @Nullable Object> plain = new LinkedHashMap<>();
            members.forEach((name, member) -> plain.put((String) name, plain(member)));
            return plain;
        }
        if (value instanceof List<?> elements) {
            return elements.stream().map(MonitorRequestsTest::plain).toList();
        }
        if (value instanceof Number number) {
            return number.toString().contains(".") ? (Object) number.doubleValue() : (Object) number.longValue();
        }
        return value;
    }
}
