package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.server.oauth.TestTokenServer;
import dev.avocet.testkit.LtpaIssuer;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSSecurityException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients with LTPA tokens at the broker, and tokens that come with the request of a WebSocket connection. */
@InTurn
class LtpaLoginsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String TOKEN_USER = "IMA_LTPA_AUTH";
    private static final String PASSWORD = "WebAS";

    @TempDir
    private Path data;

    private final LtpaIssuer issuer = LtpaIssuer.create();
    private RestBroker rest;
    private int port;
    private int clients;

    @BeforeEach
    void start() throws Exception {
        rest = RestBroker.start(data, "{\"security\": {\"allowAnonymous\": \"never\"}}");
        upload(issuer);
        rest.configure(
                "{\"LTPAProfile\": {\"l\": {\"KeyFileName\": \"ltpa.keys\", \"Password\": \"" + PASSWORD + "\"}},"
                        + " \"SecurityProfile\": {\"p\": {\"TLSEnabled\": false, \"LTPAProfile\": \"l\"}},"
                        + " \"TopicPolicy\": {\"writers\": {\"GroupID\": \"writers\", \"Topic\": \"of/${GroupID}/${UserID}\","
                        + " \"ActionList\": \"Subscribe,Publish\"}}}");
        assertThat(rest.send("PUT", "/api/v1/group/writers", "{}").statusCode()).isLessThan(300);
        assertThat(rest.send("PUT", "/api/v1/user/anna", "{\"Password\": \"chalk\", \"Groups\": [\"writers\"]}")
                        .statusCode())
                .isEqualTo(200);
        port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\", \"TopicPolicies\": \"writers\"");
        rest.configure("{\"Endpoint\": {\"mine\": {\"Protocol\": \"MQTT,JMS\"}}}");
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void shouldLetMqttClientsInByTokenWithTheirGroups() throws Exception {
        // a user whom the broker knows by name has that user's groups
        Mqtt5BlockingClient anna = connect(TOKEN_USER, token("anna", 600));
        assertThat(isGranted(anna, "of/writers/anna")).isTrue();
        assertThat(isGranted(anna, "of/writers/bert")).isFalse();
        anna.disconnect();

        // and one whom only the token knows has none
        Mqtt5BlockingClient bert = connect("IMA_LTPA_TOKEN", token("bert", 600));
        assertThat(isGranted(bert, "of/writers/bert")).isFalse();
        bert.disconnect();

        // and passwords go on beside
        connect("anna", "chalk").disconnect();

        assertThat(refusal(TOKEN_USER, token("anna", -1))).isEqualTo("BAD_USER_NAME_OR_PASSWORD");
        assertThat(refusal(TOKEN_USER, LtpaIssuer.create().token2("uid=anna,o=acme", soon(600))))
                .isEqualTo("BAD_USER_NAME_OR_PASSWORD");
        assertThat(refusal(TOKEN_USER, "nonsense")).isEqualTo("BAD_USER_NAME_OR_PASSWORD");
        assertThat(refusal("anna", token("anna", 600)))
                .as("another user name comes with a password")
                .isEqualTo("BAD_USER_NAME_OR_PASSWORD");
        assertThat(refusal(TOKEN_USER, issuer.token1("uid=anna,o=acme", soon(600))))
                .as("the older form has to be asked for")
                .isEqualTo("BAD_USER_NAME_OR_PASSWORD");
        rest.configure("{\"LTPAProfile\": {\"l\": {\"TokenVersions\": \"LtpaToken2,LtpaToken\"}}}");
        connect(TOKEN_USER, issuer.token1("uid=anna,o=acme", soon(600))).disconnect();
    }

    @Test
    void shouldLetAmqpClientsInByPlain() throws Exception {
        String token = token("anna", 600);
        try (Connection ours =
                        new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createConnection(TOKEN_USER, token);
                Connection qpid =
                        new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection(TOKEN_USER, token)) {
            ours.start();
            qpid.start();
        }
        String expired = token("anna", -1);
        assertThatThrownBy(() -> new AvocetConnectionFactory("avocet://127.0.0.1:" + port)
                        .createConnection(TOKEN_USER, expired)
                        .start())
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void shouldLetPagesInByTheirCookie() throws Exception {
        String cookie = "theme=dark; LtpaToken2=\"" + token("anna", 600) + "\"";
        Mqtt5BlockingClient anna = overWebSocket(Map.of("Cookie", cookie));
        assertThat(isGranted(anna, "of/writers/anna")).isTrue();
        anna.disconnect();
        overWebSocket(Map.of("Cookie", cookie, "Origin", "http://127.0.0.1:8443"))
                .disconnect();

        assertThat(webRefusal(Map.of())).isEqualTo("NOT_AUTHORIZED");
        assertThat(webRefusal(Map.of("Cookie", "LtpaToken2=" + token("anna", -1))))
                .isEqualTo("NOT_AUTHORIZED");
        assertThat(webRefusal(Map.of("Cookie", "LtpaToken=" + issuer.token1("uid=anna", soon(600)))))
                .isEqualTo("NOT_AUTHORIZED");
    }

    @Test
    void shouldTakeABearerTokenOrANamedCookieOfAnOAuthServer() throws Exception {
        try (TestTokenServer tokens = TestTokenServer.start()) {
            // given
            rest.configure("{\"OAuthProfile\": {\"o\": {" + tokens.keySetProfile()
                    + ", \"GroupInfoKey\": \"groups\", \"TokenCookie\": \"session\"}},"
                    + " \"SecurityProfile\": {\"p\": {\"LTPAProfile\": \"\", \"OAuthProfile\": \"o\"}}}");
            String token = tokens.token("anna", 600, "writers");

            // then
            Mqtt5BlockingClient anna = overWebSocket(Map.of("Authorization", "Bearer " + token));
            assertThat(isGranted(anna, "of/writers/anna")).isTrue();
            anna.disconnect();
            overWebSocket(Map.of("Cookie", "session=" + token)).disconnect();
            assertThat(webRefusal(Map.of("Authorization", "Bearer " + tokens.token("anna", -1))))
                    .isEqualTo("NOT_AUTHORIZED");
            assertThat(webRefusal(Map.of("Authorization", "Basic " + token))).isEqualTo("NOT_AUTHORIZED");
            assertThat(webRefusal(Map.of("Cookie", "other=" + token))).isEqualTo("NOT_AUTHORIZED");
        }
    }

    @Test
    void shouldEndConnectionsWhenTheTokenIsOver() throws Exception {
        // given: clients whose classes are there, so that the token is not over before they have logged in
        connect(TOKEN_USER, token("anna", 600)).disconnect();
        try (Connection first =
                new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection(TOKEN_USER, token("anna", 600))) {
            first.start();
        }
        long endMs = soon(12);
        String token = issuer.token2("uid=anna,o=acme", endMs);
        CompletableFuture<Instant> mqttEnd = new CompletableFuture<>();
        AtomicReference<Mqtt5DisconnectReasonCode> reason = new AtomicReference<>();
        AtomicReference<Exception> jmsEnd = new AtomicReference<>();
        Connection jms = new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection(TOKEN_USER, token);
        jms.setExceptionListener(failure -> jmsEnd.compareAndSet(null, failure));
        Mqtt5BlockingClient client = builder()
                .addDisconnectedListener(context -> {
                    if (context.getSource() == MqttDisconnectSource.SERVER
                            && context.getCause() instanceof Mqtt5DisconnectException said) {
                        reason.set(said.getMqttMessage().getReasonCode());
                        mqttEnd.complete(Instant.now());
                    }
                })
                .useMqttVersion5()
                .buildBlocking();

        // when
        login(client, TOKEN_USER, token);
        jms.start();

        // then
        Instant end = Instant.ofEpochMilli(endMs);
        assertThat(mqttEnd.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isBetween(end, end.plusSeconds(15));
        assertThat(reason.get()).isEqualTo(Mqtt5DisconnectReasonCode.MAXIMUM_CONNECT_TIME);
        await().atMost(PATIENCE).until(() -> jmsEnd.get() != null);
        assertThat(jmsEnd.get()).hasMessageContaining("the time of the login is over; log in again");
    }

    @Test
    void shouldFollowTheFileAndTheProfileWhileClientsAreConnected() throws Exception {
        // given
        LtpaIssuer other = LtpaIssuer.create();
        Mqtt5BlockingClient before = connect(TOKEN_USER, token("anna", 600));

        // when: the server has made new keys
        upload(other);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(refusal(TOKEN_USER, other.token2("uid=bert,o=acme", soon(600))))
                        .isEmpty());

        // then
        assertThat(refusal(TOKEN_USER, token("anna", 600))).isEqualTo("BAD_USER_NAME_OR_PASSWORD");
        assertThat(before.getState().isConnected()).isTrue();

        // when: another file is no file of keys, the ones before count on
        rest.sendBytes("PUT", "/api/v1/file/ltpa.keys", "nothing".getBytes(UTF_8));
        await().pollDelay(Duration.ofSeconds(3))
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(refusal(TOKEN_USER, other.token2("uid=bert,o=acme", soon(600))))
                        .isEmpty());

        // when: the profile does not fit the file any more, nobody comes in until it does
        upload(other);
        rest.configure("{\"LTPAProfile\": {\"l\": {\"Password\": \"other\"}}}");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(refusal(TOKEN_USER, other.token2("uid=bert,o=acme", soon(600))))
                        .isEqualTo("SERVER_UNAVAILABLE"));
        rest.configure("{\"LTPAProfile\": {\"l\": {\"Password\": \"" + PASSWORD + "\", \"Realm\": \"shop\"}}}");
        assertThat(refusal(TOKEN_USER, other.token2("uid=bert,o=acme", soon(600))))
                .isEqualTo("BAD_USER_NAME_OR_PASSWORD");
    }

    @Test
    void shouldTestAProfileAndRefuseWhatCannotWork() throws Exception {
        assertThat(test("{\"Name\": \"l\", \"Token\": \"" + token("anna", 600) + "\"}"))
                .contains("\"Works\" : true", "RSA of 1024 bits, realm 'office'", "user 'anna', until ");
        assertThat(test("{\"Name\": \"l\", \"Token\": \"" + token("anna", -1) + "\"}"))
                .contains("\"Works\" : false", "the LTPA token: it has expired at ");
        assertThat(test("{\"Name\": \"none\"}")).contains("there is no LTPAProfile 'none'");
        rest.configure("{\"LTPAProfile\": {\"w\": {\"KeyFileName\": \"ltpa.keys\", \"Password\": \"wrong\"}}}");
        assertThat(test("{\"Name\": \"w\"}"))
                .contains("\"Works\" : false", "Password: ")
                .doesNotContain("wrong\"");

        assertThat(rest.get("/api/v1/configuration/LTPAProfile/l").body()).doesNotContain(PASSWORD);
        assertThat(problem("{\"LTPAProfile\": {\"x\": {\"KeyFileName\": \"none.keys\", \"Password\": \"x\"}}}"))
                .contains("the file 'none.keys'");
        assertThat(problem("{\"OAuthProfile\": {\"o\": {\"ResourceURL\": \"http://127.0.0.1:1/\"}},"
                        + " \"SecurityProfile\": {\"p\": {\"OAuthProfile\": \"o\"}}}"))
                .contains("cannot be used together with an OAuthProfile");
        assertThat(rest.send("DELETE", "/api/v1/configuration/LTPAProfile/l", null)
                        .statusCode())
                .isBetween(400, 499);
        assertThat(rest.send("DELETE", "/api/v1/file/ltpa.keys", null).body()).contains("LTPAProfile 'l'");
    }

    private String problem(String json) throws Exception {
        return rest.send("POST", "/api/v1/configuration", json).body();
    }

    private String test(String body) throws Exception {
        return rest.send("POST", "/api/v1/service/ltpa/test", body).body();
    }

    private void upload(LtpaIssuer of) throws Exception {
        assertThat(rest.sendBytes(
                                "PUT",
                                "/api/v1/file/ltpa.keys",
                                of.keyFile(PASSWORD).getBytes(UTF_8))
                        .statusCode())
                .isLessThan(300);
    }

    private String token(String user, long seconds) {
        return issuer.token2("uid=" + user + ",ou=people,o=acme", soon(seconds));
    }

    private static long soon(long seconds) {
        return Instant.now().plusSeconds(seconds).toEpochMilli();
    }

    private MqttClientBuilder builder() {
        return MqttClient.builder()
                .identifier("client-" + ++clients)
                .serverHost("127.0.0.1")
                .serverPort(port);
    }

    private Mqtt5BlockingClient connect(String user, String token) {
        return login(builder().useMqttVersion5().buildBlocking(), user, token);
    }

    private static Mqtt5BlockingClient login(Mqtt5BlockingClient client, String user, String token) {
        client.connectWith()
                .simpleAuth()
                .username(user)
                .password(token.getBytes(UTF_8))
                .applySimpleAuth()
                .send();
        return client;
    }

    private Mqtt5BlockingClient overWebSocket(Map<String, String> headers) {
        Mqtt5BlockingClient client = builder()
                .webSocketConfig()
                .serverPath("mqtt")
                .httpHeaders(headers)
                .applyWebSocketConfig()
                .useMqttVersion5()
                .buildBlocking();
        client.connect();
        return client;
    }

    private String refusal(String user, String token) {
        return refusal(() -> connect(user, token));
    }

    private String webRefusal(Map<String, String> headers) {
        return refusal(() -> overWebSocket(headers));
    }

    private static String refusal(Supplier<Mqtt5BlockingClient> connect) {
        @Nullable Mqtt5BlockingClient connected = null;
        try {
            connected = connect.get();
            return "";
        } catch (Mqtt5ConnAckException e) {
            return e.getMqttMessage().getReasonCode().name();
        } finally {
            if (connected != null) {
                connected.disconnect();
            }
        }
    }

    private static boolean isGranted(Mqtt5BlockingClient client, String topic) {
        try {
            client.subscribeWith().topicFilter(topic).qos(MqttQos.AT_LEAST_ONCE).send();
            return true;
        } catch (Mqtt5SubAckException e) {
            return false;
        }
    }
}
