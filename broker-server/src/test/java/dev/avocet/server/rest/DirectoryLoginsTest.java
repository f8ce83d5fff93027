package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.server.directory.TestDirectory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.jms.JmsConnectionFactory;
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

/** Users of a directory at the broker: MQTT and JMS clients and administrators. */
@InTurn
class DirectoryLoginsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int BAD_USER_NAME_OR_PASSWORD = 0x86;
    private static final int SERVER_UNAVAILABLE = 0x88;
    private static final int MAXIMUM_CONNECT_TIME = 0xA0;

    @TempDir
    private Path data;

    private TestDirectory directory;
    private RestBroker rest;
    private int port;
    private int clients;

    @BeforeEach
    void start() throws Exception {
        directory = TestDirectory.start();
        rest = RestBroker.start(data, "{\"security\": {\"allowAnonymous\": \"never\"}}");
        ldap("");
        rest.configure("{\"SecurityProfile\": {\"p\": {\"TLSEnabled\": false}},"
                + " \"TopicPolicy\": {\"writers\": {\"GroupID\": \"writers\", \"Topic\": \"of/${GroupID}/${UserID}\","
                + " \"ActionList\": \"Subscribe,Publish\"}}}");
        port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\", \"TopicPolicies\": \"writers\"");
        rest.configure("{\"Endpoint\": {\"mine\": {\"Protocol\": \"MQTT,JMS\"}}}");
    }

    @AfterEach
    void stop() {
        rest.close();
        directory.close();
    }

    @Test
    void shouldLetMqttClientsInByPasswordAndByGroup() throws Exception {
        MqttClient anna = connect("anna", "pencil");
        assertThat(granted(anna, "of/writers/anna")).isTrue();
        assertThat(granted(anna, "of/staff/anna")).isFalse();
        leave(anna);

        MqttClient bert = connect("bert", "brush");
        assertThat(granted(bert, "of/writers/bert")).as("is in no group").isFalse();
        leave(bert);

        assertThat(refusal("anna", "pen")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
        assertThat(refusal("carl", "pencil")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
        assertThat(refusal("anna", "")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
    }

    @Test
    void shouldLetJmsClientsInByPlain() throws Exception {
        // our client and another, with their defaults, and SCRAM where it was asked for
        for (String user : List.of("anna", "bert")) {
            String password = user.equals("anna") ? "pencil" : "brush";
            try (Connection ours =
                            new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createConnection(user, password);
                    Connection qpid =
                            new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection(user, password)) {
                ours.start();
                qpid.start();
            }
        }
        assertThatThrownBy(() -> new AvocetConnectionFactory("avocet://127.0.0.1:" + port)
                        .createConnection("anna", "pen")
                        .start())
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("the user name or the password is wrong");
        assertThatThrownBy(() -> new AvocetConnectionFactory(
                                "avocet://127.0.0.1:" + port + "?saslMechanisms=SCRAM-SHA-256")
                        .createConnection("anna", "pencil")
                        .start())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("offers [PLAIN, ANONYMOUS]");
    }

    @Test
    void shouldStillKnowLocalUsersAndOfferScramWhereTheyAreTheOnlyOnes() throws Exception {
        // given
        assertThat(rest.send("PUT", "/api/v1/user/dora", "{\"Password\": \"chalk\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(rest.send("PUT", "/api/v1/user/bert", "{\"Password\": \"local\"}")
                        .statusCode())
                .isEqualTo(200);

        // then: a local user has precedence
        leave(connect("dora", "chalk"));
        leave(connect("bert", "local"));
        assertThat(refusal("bert", "brush")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);

        // when
        rest.configure("{\"SecurityProfile\": {\"p\": {\"Authenticators\": \"LocalUsers\"}}}");
        assertThat(refusal("anna", "pencil")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
        try (Connection scram = new AvocetConnectionFactory(
                        "avocet://127.0.0.1:" + port + "?saslMechanisms=SCRAM-SHA-256")
                .createConnection("dora", "chalk")) {
            scram.start();
        }

        // when
        rest.configure("{\"SecurityProfile\": {\"p\": {\"Authenticators\": \"LDAP\"}}}");
        assertThat(refusal("dora", "chalk")).isEqualTo(BAD_USER_NAME_OR_PASSWORD);
        leave(connect("bert", "brush"));
    }

    @Test
    void shouldEndConnectionsWhenTheTimeOfTheLoginIsOver() throws Exception {
        // given
        ldap(", \"LoginLifetime\": 2");
        AtomicInteger reason = new AtomicInteger();
        AtomicReference<Exception> jmsEnd = new AtomicReference<>();
        CompletableFuture<Instant> mqttEnd = new CompletableFuture<>();
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, "mqtt", new MemoryPersistence());
        client.setCallback(onEnd(reason, mqttEnd));
        Connection jms = new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection("bert", "brush");
        jms.setExceptionListener(failure -> jmsEnd.compareAndSet(null, failure)); // the end of the transport follows

        // when
        Instant begun = Instant.now();
        client.connect(options("anna", "pencil"));
        jms.start();

        // then
        Instant ended = mqttEnd.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(Duration.between(begun, ended)).isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(20));
        assertThat(reason.get()).isEqualTo(MAXIMUM_CONNECT_TIME);
        await().atMost(PATIENCE).until(() -> jmsEnd.get() != null);
        assertThat(jmsEnd.get()).hasMessageContaining("the time of the login is over; log in again");
        client.close();
    }

    @Test
    void shouldGoOnForOthersWhileTheDirectoryDoesNotAnswer() throws Exception {
        // given
        ldap(", \"Timeout\": 5");
        MqttClient anna = connect("anna", "pencil");
        directory.hold();
        Instant begun = Instant.now();

        // when: 100 clients that need the directory
        List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(knock("user" + i));
        }

        // then: who is connected or remembered goes on, and the others are refused in time
        leave(connect("anna", "pencil"));
        assertThat(granted(anna, "of/writers/anna")).isTrue();
        assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofMillis(4_900));
        for (Socket each : waiting) {
            each.setSoTimeout((int) PATIENCE.toMillis());
            byte[] connAck = each.getInputStream().readNBytes(4);
            assertThat(connAck[3] & 0xFF).isEqualTo(SERVER_UNAVAILABLE);
            each.close();
        }
        assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(30));
        leave(anna);
    }

    @Test
    void shouldLetAdministratorsInByTheirGroup() throws Exception {
        // given
        rest.configure(
                "{\"ConfigurationPolicy\": {\"w\": {\"GroupID\": \"writers\", \"ActionList\": \"View,Monitor\"}},"
                        + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"w\"}, \"AdminUserPassword\": \"secret\"}");

        // then
        rest.login("anna:pencil");
        assertThat(rest.get("/api/v1/configuration/LDAP").body())
                .contains("\"BindPassword\" : \"********\"")
                .doesNotContain("service\"");
        assertThat(rest.send("POST", "/api/v1/configuration", "{\"LogLevel\": \"MAX\"}")
                        .statusCode())
                .isEqualTo(403);
        rest.login("anna:pen");
        assertThat(rest.get("/api/v1/configuration").statusCode()).isEqualTo(401);
        rest.login("bert:brush");
        assertThat(rest.get("/api/v1/configuration").statusCode()).isEqualTo(403);

        // when a token stands for the password
        rest.login("anna:pencil");
        Map<String, Object> answer = RestBroker.json(rest.send("POST", "/api/v1/service/token", "{}"));
        rest.login(null);
        String bearer = "Bearer " + answer.get("Token");
        assertThat(rest.send("GET", "/api/v1/configuration", null, "Authorization", bearer)
                        .statusCode())
                .isEqualTo(200);

        // when the directory is away, only AdminUserID can log in
        directory.stop();
        rest.login("bert:brush2");
        assertThat(rest.get("/api/v1/configuration").body()).contains("does not answer", "log in as 'admin'");
        rest.login("admin:secret");
        ldap(", \"Enabled\": false");
        rest.login(null);
        assertThat(rest.send("GET", "/api/v1/configuration", null, "Authorization", bearer)
                        .statusCode())
                .as("no token outlives its directory")
                .isEqualTo(401);
    }

    @Test
    void shouldTestADirectoryWithoutKeepingIt() throws Exception {
        Map<String, Object> good = RestBroker.json(
                rest.send("POST", "/api/v1/service/ldap/test", "{\"UserID\": \"anna\", \"Password\": \"pencil\"}"));
        assertThat(good).containsEntry("Works", true);
        assertThat(good.get("Steps").toString()).contains("user 'anna', groups writers");

        Map<String, Object> bad = RestBroker.json(
                rest.send("POST", "/api/v1/service/ldap/test", "{\"LDAP\": {\"BindPassword\": \"wrong\"}}"));
        assertThat(bad).containsEntry("Works", false);
        Map<String, Object> verified = RestBroker.json(rest.send(
                "POST", "/ima/v1/configuration", "{\"LDAP\": {\"BindPassword\": \"wrong\", \"Verify\": true}}"));
        assertThat(verified).containsEntry("Works", false);

        assertThat(rest.send("POST", "/api/v1/service/ldap/test", "{\"UserId\": \"x\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(rest.send("POST", "/api/v1/service/ldap/test", "{\"UserID\": \"x\"}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(rest.send("POST", "/ima/v1/configuration", "{\"LDAP\": {\"CacheTimeout\": 20, \"Verify\": false}}")
                        .statusCode())
                .isEqualTo(200);
        leave(connect("anna", "pencil"));
    }

    @Test
    void shouldKeepThePasswordOfTheBroker() throws Exception {
        // what is shown can be sent back
        rest.configure("{\"LDAP\": {\"BindPassword\": \"********\", \"CacheTimeout\": 1}}");
        leave(connect("anna", "pencil"));

        // and a broker that starts again has it
        rest.close();
        rest = RestBroker.start(data, "{\"security\": {\"allowAnonymous\": \"never\"}}");
        leave(connect("anna", "pencil"));
    }

    private void ldap(String more) throws Exception {
        rest.configure("{\"LDAP\": {\"URL\": \"" + directory.url() + "\", \"BaseDN\": \"" + TestDirectory.BASE
                + "\", \"BindDN\": \"" + TestDirectory.SERVICE + "\", \"BindPassword\": \"service\"" + more + "}}");
    }

    private MqttClient connect(String user, String password) throws MqttException {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, "client-" + ++clients, new MemoryPersistence());
        client.connect(options(user, password));
        return client;
    }

    private static void leave(MqttClient client) throws MqttException {
        client.disconnect();
        client.close();
    }

    private int refusal(String user, String password) {
        try {
            leave(connect(user, password));
            return 0;
        } catch (MqttException e) {
            return e.getReasonCode();
        }
    }

    private static MqttConnectionOptions options(String user, String password) {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName(user);
        options.setPassword(password.getBytes(UTF_8));
        options.setAutomaticReconnect(false);
        return options;
    }

    private static boolean granted(MqttClient client, String topic) throws MqttException {
        IMqttToken token = client.subscribe(topic, 1);
        return token.getReasonCodes()[0] == 1;
    }

    /** A CONNECT of MQTT 5 whose answer is not waited for. */
    private Socket knock(String user) throws Exception {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        byte[] name = user.getBytes(UTF_8);
        // no properties, an empty identifier, the name, and a password of one letter
        byte[] packet = ByteBuffer.allocate(2 + 13 + 2 + name.length + 3)
                .put(new byte[] {
                    0x10, (byte) (18 + name.length), 0, 4, 'M', 'Q', 'T', 'T', 5, (byte) 0xC2, 0, 0, 0, 0, 0
                })
                .putShort((short) name.length)
                .put(name)
                .put(new byte[] {0, 1, 'x'})
                .array();
        socket.getOutputStream().write(packet);
        return socket;
    }

    private static MqttCallback onEnd(AtomicInteger reason, CompletableFuture<Instant> end) {
        return new MqttCallback() {
            @Override
            public void disconnected(MqttDisconnectResponse response) {
                reason.set(response.getReturnCode());
                end.complete(Instant.now());
            }

            @Override
            public void mqttErrorOccurred(MqttException exception) {
                // disconnected says it
            }

            @Override
            public void messageArrived(String topic, MqttMessage message) {
                // none is sent
            }

            @Override
            public void deliveryComplete(IMqttToken token) {
                // none is sent
            }

            @Override
            public void connectComplete(boolean reconnect, String serverUri) {
                // the test waits for connect
            }

            @Override
            public void authPacketArrived(int reasonCode, MqttProperties properties) {
                // none is sent
            }
        };
    }
}
