package dev.avocet.server.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.packet.MqttConnAck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of the configuration that bound what clients may do, changed while the broker runs. */
class LiveValuesTest {
    private static final int GRANTED_QOS_0 = 0;
    private static final int REFUSED = -1;
    private static final long PATIENCE_MS = 30_000;

    private final List<MqttAsyncClient> clients = new ArrayList<>();

    @TempDir
    private Path data;

    private int port;
    private ConfigurationStore objects;
    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        port = FreePort.next();
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = OneBroker.start(ConfigurationFile.parse("""
                        {"serverName": "heron", "ioThreads": 2, "store": {"mode": "memory"},
                         "mqtt": {"serverKeepAliveMaxSeconds": 900, "maxSubscriptionsPerClient": 3, "maxTopicLevels": 4}}
                        """), data, new DiskStorage(), failure -> {});
        broker.attach(objects, true);
        change("{\"Endpoint\": {\"mine\": {\"Port\": " + port
                + ", \"Interface\": \"127.0.0.1\", \"Protocol\": \"MQTT\","
                + " \"ConnectionPolicies\": \"DemoConnectionPolicy\", \"TopicPolicies\": \"DemoTopicPolicy\","
                + " \"MessageHub\": \"DemoHub\"}}}");
    }

    @AfterEach
    void stop() throws Exception {
        for (MqttAsyncClient client : clients) {
            client.disconnectForcibly(0, 1, false);
            client.close(true);
        }
        objects.close();
        broker.close();
    }

    @Test
    void shouldBoundTheSubscriptionsOfClientsThatAreConnected() throws Exception {
        // given
        MqttAsyncClient client = connect("anna");
        assertThat(subscribe(client, "1", "2", "3")).containsOnly(GRANTED_QOS_0);
        assertThat(subscribe(connect("bert"), "1", "2", "3", "4")).endsWith(REFUSED);

        // when
        change("{\"MaxSubscriptionsPerClient\": 4}");

        // then
        assertThat(subscribe(client, "4")).containsExactly(GRANTED_QOS_0);
        change("{\"MaxSubscriptionsPerClient\": 1}");
        assertThat(subscribe(client, "1")).as("what is there stays").containsExactly(GRANTED_QOS_0);
        assertThat(subscribe(client, "5")).containsExactly(REFUSED);
        change("{\"MaxSubscriptionsPerClient\": null}");
        assertThat(subscribe(connect("carl"), "1", "2", "3", "4"))
                .as("as the startup file says")
                .containsExactly(GRANTED_QOS_0, GRANTED_QOS_0, GRANTED_QOS_0, REFUSED);
    }

    @Test
    void shouldBoundTheLevelsOfTopics() throws Exception {
        // given
        MqttAsyncClient client = connect("anna");
        AtomicInteger received = new AtomicInteger();
        client.setCallback(new CountingCallback(received));
        assertThat(subscribe(client, "1/2/3/4", "1/2/3/4/5")).containsExactly(GRANTED_QOS_0, REFUSED);

        // when
        change("{\"MaxTopicLevels\": 100}");

        // then
        assertThat(subscribe(client, "1/2/3/4/5")).containsExactly(GRANTED_QOS_0);
        client.publish("1/2/3/4/5", new byte[1], 1, false).waitForCompletion(PATIENCE_MS);
        Awaitility.await().until(() -> received.get() == 1);

        // when
        change("{\"MaxTopicLevels\": 2}");

        // then
        assertThat(subscribe(client, "1/2/3")).containsExactly(REFUSED);
        subscribe(client, "t");
        client.publish("1/2/3/4/5", new byte[1], 1, false).waitForCompletion(PATIENCE_MS);
        client.publish("t", new byte[1], 1, false).waitForCompletion(PATIENCE_MS);
        Awaitility.await().until(() -> received.get() == 2);
        client.publish("t", new byte[1], 1, false).waitForCompletion(PATIENCE_MS);
        Awaitility.await().until(() -> received.get() >= 3);
        assertThat(received).as("what went to t, and nothing else").hasValue(3);
    }

    @Test
    void shouldTellNewClientsTheLongestKeepAlive() throws Exception {
        assertThat(keepAliveGranted("first")).isEqualTo(900);

        change("{\"MaxKeepAlive\": 30}");

        assertThat(keepAliveGranted("second")).isEqualTo(30);
    }

    @Test
    void shouldLetNoMoreConnectionsIn() throws Exception {
        // given
        connect("first");
        MqttAsyncClient second = connect("second");

        // when
        change("{\"MaxConnections\": 2}");

        // then
        try (Socket third = new Socket(InetAddress.getLoopbackAddress(), port)) {
            third.setSoTimeout((int) PATIENCE_MS);
            assertThat(isClosed(third)).isTrue();
        }
        assertThat(second.isConnected()).isTrue();
        change("{\"MaxConnections\": 0}");
        connect("third");
    }

    @Test
    void shouldLetConnectionsInNoFaster() throws Exception {
        // when
        change("{\"MaxConnectionsPerSecond\": 1}");

        // then
        Awaitility.await().atMost(PATIENCE_MS, TimeUnit.MILLISECONDS).until(this::isOneOfManyClosed);
    }

    @Test
    void shouldTakeItsName() throws Exception {
        assertThat(broker.serverName()).isEqualTo("heron");

        change("{\"ServerName\": \"egret\"}");

        assertThat(broker.serverName()).isEqualTo("egret");
        change("{\"ServerName\": null}");
        assertThat(broker.serverName()).isEqualTo("heron");
    }

    @Test
    void shouldSayWhatItIsToBrowsersOnlyWhenItIsToldTo() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(426);

        change("{\"Endpoint\": {\"mine\": {\"EnableAbout\": true}}}");

        assertThat(get("/").statusCode()).isEqualTo(200);
        assertThat(get("/").body()).contains("A message broker is running here.");
        assertThat(get("/else").statusCode()).isEqualTo(426);
    }

    @Test
    void shouldSendInWritesAsSmallAsItIsTold() throws Exception {
        // given
        change("{\"Endpoint\": {\"mine\": {\"MaxSendSize\": 128, \"BatchMessages\": false}}}");
        MqttAsyncClient client = connect("anna");
        AtomicInteger received = new AtomicInteger();
        client.setCallback(new CountingCallback(received));
        subscribe(client, "t");

        // when
        for (int i = 0; i < 20; i++) {
            client.publish("t", new byte[1_000], 1, false).waitForCompletion(PATIENCE_MS);
        }

        // then
        Awaitility.await().until(() -> received.get() == 20);
    }

    @Test
    void shouldSayWhyASubscriptionIsRefusedAsItIsTold() throws Exception {
        assertThat(refusal("a/#/b")).isEqualTo(0x8F);

        change("{\"Endpoint\": {\"mine\": {\"PreciseSubscribeCodes\": false}}}");

        assertThat(refusal("a/#/b")).isEqualTo(0x80);
        change("{\"Endpoint\": {\"mine\": {\"PreciseSubscribeCodes\": true}}}");
        assertThat(refusal("a/#/b")).isEqualTo(0x8F);
    }

    private int refusal(String filter) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            HexFormat hex = HexFormat.of();
            socket.setSoTimeout((int) PATIENCE_MS);
            socket.getOutputStream().write(hex.parseHex("100f00044d5154540502000000000262" + "62"));
            socket.getInputStream().skipNBytes(1);
            socket.getInputStream().skipNBytes(socket.getInputStream().read());
            socket.getOutputStream()
                    .write(hex.parseHex("820b00010000" + "05" + hex.formatHex(filter.getBytes(UTF_8)) + "00"));
            socket.getInputStream().skipNBytes(1);
            byte[] answer =
                    socket.getInputStream().readNBytes(socket.getInputStream().read());
            return answer[answer.length - 1] & 0xFF;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private boolean isOneOfManyClosed() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            boolean isOneClosed = false;
            for (Socket socket : sockets) {
                socket.setSoTimeout(100);
                isOneClosed |= isClosed(socket);
            }
            return isOneClosed;
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    private int keepAliveGranted(String clientId) throws MqttException {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setKeepAliveInterval(1_000);
        MqttAsyncClient client = client(clientId);
        IMqttToken connected = client.connect(options);
        connected.waitForCompletion(PATIENCE_MS);
        return ((MqttConnAck) connected.getResponse()).getProperties().getServerKeepAlive();
    }

    private static int[] subscribe(MqttAsyncClient client, String... filters) throws MqttException {
        int[] answers = new int[filters.length];
        for (int i = 0; i < filters.length; i++) {
            IMqttToken token = client.subscribe(filters[i], 0);
            try {
                token.waitForCompletion(PATIENCE_MS);
                answers[i] = token.getReasonCodes()[0] == GRANTED_QOS_0 ? GRANTED_QOS_0 : REFUSED;
            } catch (MqttException e) {
                answers[i] = REFUSED;
            }
        }
        return answers;
    }

    private MqttAsyncClient connect(String clientId) throws MqttException {
        MqttAsyncClient client = client(clientId);
        client.connect().waitForCompletion(PATIENCE_MS);
        return client;
    }

    private MqttAsyncClient client(String clientId) throws MqttException {
        MqttAsyncClient client = new MqttAsyncClient("tcp://127.0.0.1:" + port, clientId, new MemoryPersistence());
        clients.add(client);
        return client;
    }

    private void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }
}
