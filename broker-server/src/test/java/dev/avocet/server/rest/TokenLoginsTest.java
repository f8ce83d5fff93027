package dev.avocet.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.datatypes.MqttUtf8String;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientConfig;
import com.hivemq.client.mqtt.mqtt5.auth.Mqtt5EnhancedAuthMechanism;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5Auth;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5AuthBuilder;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5EnhancedAuthBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAck;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5Disconnect;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jwt.SignedJWT;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.server.oauth.TestTokenServer;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients and administrators with tokens of an OAuth server at the broker. */
@InTurn
class TokenLoginsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final String TOKEN_USER = "IMA_OAUTH_ACCESS_TOKEN";

    @TempDir
    private Path data;

    private TestTokenServer tokens;
    private RestBroker rest;
    private int port;
    private int clients;

    @BeforeEach
    void start() throws Exception {
        tokens = TestTokenServer.start();
        rest = RestBroker.start(data, "{\"security\": {\"allowAnonymous\": \"never\"}}");
        rest.configure("{\"OAuthProfile\": {\"o\": {" + tokens.keySetProfile() + ", \"GroupInfoKey\": \"groups\"}}}");
        rest.configure("{\"SecurityProfile\": {\"p\": {\"TLSEnabled\": false, \"OAuthProfile\": \"o\"}},"
                + " \"TopicPolicy\": {\"writers\": {\"GroupID\": \"writers\", \"Topic\": \"of/${GroupID}/${UserID}\","
                + " \"ActionList\": \"Subscribe,Publish\"}}}");
        port = rest.openEndpoint("mine", ", \"SecurityProfile\": \"p\", \"TopicPolicies\": \"writers\"");
        rest.configure("{\"Endpoint\": {\"mine\": {\"Protocol\": \"MQTT,JMS\"}}}");
    }

    @AfterEach
    void stop() {
        rest.close();
        tokens.close();
    }

    @Test
    void shouldLetMqttClientsInByTokenAndByGroup() throws Exception {
        Mqtt5BlockingClient anna = connect(TOKEN_USER, tokens.token("anna", 600, "writers"));
        assertThat(isGranted(anna, "of/writers/anna")).isTrue();
        assertThat(isGranted(anna, "of/writers/bert")).isFalse();
        anna.disconnect();
        connect(null, tokens.token("anna", 600)).disconnect();

        assertThat(refusal(TOKEN_USER, tokens.token("anna", -1))).contains("BAD_USER_NAME_OR_PASSWORD");
        assertThat(refusal(TOKEN_USER, "nonsense")).contains("BAD_USER_NAME_OR_PASSWORD");
        assertThat(refusal("anna", tokens.token("anna", 600)))
                .as("another user name comes with a password")
                .contains("BAD_USER_NAME_OR_PASSWORD");
    }

    @Test
    void shouldPutClaimsOfTheTokenIntoPolicies() throws Exception {
        // given: a policy asks for claims, which the profile knew nothing of when it was set
        rest.configure("{\"Queue\": {\"of-blue\": {}, \"of-red\": {}}}");
        rest.configure(
                "{\"TopicPolicy\": {\"tenants\": {\"ClientID\": \"*\","
                        + " \"Topic\": \"${Claim.realm.tenant}/${Claim.sites}/#\", \"ActionList\": \"Subscribe\"}},"
                        + " \"QueuePolicy\": {\"tenants\": {\"ClientID\": \"*\", \"Queue\": \"of-${Claim.realm.tenant}\","
                        + " \"ActionList\": \"Send\"}},"
                        + " \"Endpoint\": {\"mine\": {\"TopicPolicies\": \"writers,tenants\", \"QueuePolicies\": \"tenants\"}}}");
        String token = tokens.sign(tokens.claims("anna", 600)
                .claim("realm", Map.of("tenant", "blue"))
                .claim("sites", List.of("north", "south"))
                .build());

        // then
        Mqtt5BlockingClient anna = connect(TOKEN_USER, token);
        assertThat(isGranted(anna, "blue/south/#")).isTrue();
        assertThat(isGranted(anna, "blue/north/#")).isTrue();
        assertThat(isGranted(anna, "blue/west/#")).isFalse();
        assertThat(isGranted(anna, "red/north/#")).isFalse();
        anna.disconnect();
        try (Connection jms =
                new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createConnection(TOKEN_USER, token)) {
            Session session = jms.createSession();
            session.createProducer(session.createQueue("of-blue")).close();
            assertThatThrownBy(() -> session.createProducer(session.createQueue("of-red")))
                    .isInstanceOf(JMSSecurityException.class);
        }

        // and a token without them matches no such policy
        Mqtt5BlockingClient bert = connect(TOKEN_USER, tokens.token("bert", 600));
        assertThat(isGranted(bert, "//#")).isFalse();
        bert.disconnect();

        // and the test of the profile shows what the policies see
        assertThat(test("{\"Name\": \"o\", \"Token\": \"" + token + "\"}"))
                .contains("claim realm.tenant blue, claim sites north, south");
        assertThat(test("{\"Name\": \"o\", \"Token\": \"" + tokens.token("bert", 600) + "\"}"))
                .contains("claim sites without a value");
    }

    @Test
    void shouldLetJmsClientsInByPlain() throws Exception {
        String token = tokens.token("anna", 600, "writers");
        try (Connection ours =
                        new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createConnection(TOKEN_USER, token);
                Connection qpid =
                        new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection(TOKEN_USER, token)) {
            ours.start();
            qpid.start();
        }
        String expired = tokens.token("anna", -1);
        assertThatThrownBy(() -> new AvocetConnectionFactory("avocet://127.0.0.1:" + port)
                        .createConnection(TOKEN_USER, expired)
                        .start())
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void shouldLetAmqpClientsInByXoauth2() throws Exception {
        String url = "amqp://127.0.0.1:" + port + "?amqp.saslMechanisms=XOAUTH2";
        try (Connection anna =
                new JmsConnectionFactory(url).createConnection("anna", tokens.token("anna", 600, "writers"))) {
            anna.start();
        }
        String expired = tokens.token("anna", -1);
        assertThatThrownBy(() -> new JmsConnectionFactory(url)
                        .createConnection("anna", expired)
                        .start())
                .isInstanceOf(JMSSecurityException.class);
    }

    @Test
    void shouldAskForTheTokenAgainWhenTheConnectionComesAgain() throws Exception {
        // given: tokens that hold for a few seconds
        AtomicInteger asked = new AtomicInteger();
        AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet://127.0.0.1:" + port);
        factory.setTokenSupplier(() -> {
            asked.incrementAndGet();
            try {
                return tokens.token("anna", 10, "writers");
            } catch (JOSEException e) {
                throw new IllegalStateException(e);
            }
        });

        // when
        try (Connection connection = factory.createConnection()) {
            connection.start();

            // then
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(asked.get()).isGreaterThan(1));
            connection.createSession().close();
        }
    }

    @Test
    void shouldReadTheTokenOfAFile() throws Exception {
        Path file = Files.writeString(data.resolve("token"), tokens.token("anna", 600) + "\n");
        AvocetConnectionFactory factory =
                new AvocetConnectionFactory("avocet://127.0.0.1:" + port + "?tokenFile=" + file);
        try (Connection connection = factory.createConnection()) {
            connection.start();
        }

        Files.writeString(file, tokens.token("anna", -1));
        assertThatThrownBy(() -> factory.createConnection().start())
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("the token is not good");
    }

    @Test
    void shouldTakeTokensByEnhancedAuthenticationAndExtendTheTime() throws Exception {
        // given
        TokenMechanism mechanism = new TokenMechanism();
        mechanism.token = tokens.token("anna", 15);
        CompletableFuture<Instant> ended = new CompletableFuture<>();
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .serverHost("127.0.0.1")
                .serverPort(port)
                .addDisconnectedListener(context -> ended.complete(Instant.now()))
                .buildBlocking();

        // when
        client.connectWith().enhancedAuth(mechanism).send();
        mechanism.token = tokens.token("anna", 25);
        Instant extended = Instant.now().plusSeconds(23);
        client.toAsync().reauth().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        // then
        assertThat(ended.get(60, TimeUnit.SECONDS)).isAfter(extended);
    }

    @Test
    void shouldEndTheConnectionWhenANewerTokenIsNotGoodOrOfAnotherUser() throws Exception {
        for (String newer : List.of(tokens.token("bert", 600), tokens.token("anna", -1))) {
            TokenMechanism mechanism = new TokenMechanism();
            mechanism.token = tokens.token("anna", 600);
            Mqtt5BlockingClient client = MqttClient.builder()
                    .useMqttVersion5()
                    .serverHost("127.0.0.1")
                    .serverPort(port)
                    .buildBlocking();
            client.connectWith().enhancedAuth(mechanism).send();
            mechanism.token = newer;
            assertThatThrownBy(() -> client.toAsync().reauth().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isNotInstanceOf(TimeoutException.class);
            await().atMost(PATIENCE).until(() -> !client.getState().isConnected());
        }
        TokenMechanism mechanism = new TokenMechanism();
        mechanism.token = "nonsense";
        assertThatThrownBy(() -> MqttClient.builder()
                        .useMqttVersion5()
                        .serverHost("127.0.0.1")
                        .serverPort(port)
                        .buildBlocking()
                        .connectWith()
                        .enhancedAuth(mechanism)
                        .send())
                .isInstanceOf(Mqtt5ConnAckException.class)
                .hasMessageContaining("NOT_AUTHORIZED");
    }

    @Test
    void shouldLetUsersWithPasswordsInBeside() throws Exception {
        assertThat(rest.send("PUT", "/api/v1/user/dora", "{\"Password\": \"chalk\"}")
                        .statusCode())
                .isEqualTo(200);

        connect("dora", "chalk").disconnect();
        for (String url :
                List.of("amqp://127.0.0.1:" + port, "amqp://127.0.0.1:" + port + "?amqp.saslMechanisms=PLAIN")) {
            try (Connection qpid = new JmsConnectionFactory(url).createConnection("dora", "chalk")) {
                qpid.start();
            }
        }

        rest.configure("{\"SecurityProfile\": {\"p\": {\"UsePasswordAuthentication\": false}}}");
        assertThat(refusal(TOKEN_USER, "nonsense")).contains("BAD_USER_NAME_OR_PASSWORD");
        connect(TOKEN_USER, tokens.token("anna", 600)).disconnect();
    }

    @Test
    void shouldEndConnectionsWhenTheTokenIsOver() throws Exception {
        // given: clients whose classes are there, so that the token is not over before they have logged in
        connect(TOKEN_USER, tokens.token("anna", 600)).disconnect();
        try (Connection first = new JmsConnectionFactory("amqp://127.0.0.1:" + port)
                .createConnection(TOKEN_USER, tokens.token("anna", 600))) {
            first.start();
        }
        String token = tokens.token("anna", 10, "writers");
        CompletableFuture<Instant> mqttEnd = new CompletableFuture<>();
        AtomicReference<Mqtt5DisconnectReasonCode> reason = new AtomicReference<>();
        AtomicReference<Exception> jmsEnd = new AtomicReference<>();
        Connection jms = new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection(TOKEN_USER, token);
        jms.setExceptionListener(failure -> jmsEnd.compareAndSet(null, failure));
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .serverHost("127.0.0.1")
                .serverPort(port)
                .addDisconnectedListener(context -> {
                    if (context.getSource() == MqttDisconnectSource.SERVER
                            && context.getCause() instanceof Mqtt5DisconnectException said) {
                        reason.set(said.getMqttMessage().getReasonCode());
                        mqttEnd.complete(Instant.now());
                    }
                })
                .buildBlocking();

        // when
        client.connectWith()
                .simpleAuth()
                .username(TOKEN_USER)
                .password(token.getBytes(UTF_8))
                .applySimpleAuth()
                .send();
        jms.start();

        // then
        Instant end =
                SignedJWT.parse(token).getJWTClaimsSet().getExpirationTime().toInstant();
        assertThat(mqttEnd.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isBetween(end, end.plusSeconds(15));
        assertThat(reason.get()).isEqualTo(Mqtt5DisconnectReasonCode.MAXIMUM_CONNECT_TIME);
        await().atMost(PATIENCE).until(() -> jmsEnd.get() != null);
        assertThat(jmsEnd.get()).hasMessageContaining("the time of the login is over; log in again");
    }

    @Test
    void shouldLetAdministratorsInByBearerToken() throws Exception {
        // given
        rest.configure(
                "{\"ConfigurationPolicy\": {\"w\": {\"GroupID\": \"writers\", \"ActionList\": \"View,Monitor\"}},"
                        + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"w\", \"SecurityProfile\": \"p\"},"
                        + " \"AdminUserPassword\": \"secret\"}");
        rest.login(null);

        // then
        assertThat(asBearer(tokens.token("anna", 600, "writers"))).isEqualTo(200);
        assertThat(asBearer(tokens.token("anna", 600))).isEqualTo(403);
        assertThat(asBearer(tokens.token("anna", -1, "writers"))).isEqualTo(401);
        assertThat(asBearer("nonsense")).isEqualTo(401);
        assertThat(asBearer(tokens.token("admin", 600))).as("is no AdminUserID").isEqualTo(403);

        // when
        rest.login("admin:secret");
        rest.configure("{\"SecurityProfile\": {\"p\": {\"OAuthProfile\": \"\"}}}");
        rest.login(null);
        assertThat(asBearer(tokens.token("anna", 600, "writers"))).isEqualTo(401);
    }

    @Test
    void shouldHaveTokensOfAdministratorsWaitAfterBadOnes() throws Exception {
        // given
        rest.configure(
                "{\"ConfigurationPolicy\": {\"w\": {\"GroupID\": \"writers\", \"ActionList\": \"View,Monitor\"}},"
                        + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"w\", \"SecurityProfile\": \"p\"},"
                        + " \"AdminUserPassword\": \"secret\"}");
        rest.login(null);
        for (int i = 0; i < 5; i++) {
            assertThat(asBearer("nonsense")).isEqualTo(401);
        }

        // when
        long beganNs = System.nanoTime();
        int status = asBearer(tokens.token("anna", 600, "writers"));

        // then
        assertThat(status).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isGreaterThan(Duration.ofMillis(450));
    }

    @Test
    void shouldTestAProfile() throws Exception {
        assertThat(test("{\"Name\": \"o\", \"Token\": \"" + tokens.token("anna", 600, "writers") + "\"}"))
                .contains("\"Works\" : true", "1 key", "user 'anna', groups writers");
        assertThat(test("{\"Name\": \"o\", \"Token\": \"nonsense\"}"))
                .contains("\"Works\" : false", "not a signed JWT")
                .doesNotContain("nonsense");
        assertThat(test("{\"Name\": \"none\"}")).contains("there is no OAuthProfile 'none'");
        assertThat(test("{\"Name\": \"o\", \"token\": \"x\"}")).contains("'token' is not known here");

        tokens.fail(500);
        assertThat(test("{\"Name\": \"o\"}")).contains("\"Works\" : false", "the server answers 500");

        tokens.fail(200);
        tokens.know("opaque-1", "{\"active\": true, \"sub\": \"bert\"}");
        rest.configure("{\"OAuthProfile\": {\"i\": {\"TokenCheck\": \"Introspection\", \"ResourceURL\": \""
                + tokens.url("/introspect") + "\"}}}");
        assertThat(test("{\"Name\": \"i\", \"Token\": \"opaque-1\"}"))
                .contains("\"Works\" : true", "it refuses text that is not a token", "user 'bert', no group");
    }

    private String test(String body) throws Exception {
        return rest.send("POST", "/api/v1/service/oauth/test", body).body();
    }

    @Test
    void shouldKeepAProfileThatIsInUse() throws Exception {
        assertThat(rest.send("DELETE", "/api/v1/configuration/OAuthProfile/o", null)
                        .statusCode())
                .isBetween(400, 499);
    }

    private int asBearer(String token) throws Exception {
        return rest.send("GET", "/api/v1/configuration", null, "Authorization", "Bearer " + token)
                .statusCode();
    }

    private Mqtt5BlockingClient connect(@Nullable String user, String token) {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier("client-" + ++clients)
                .serverHost("127.0.0.1")
                .serverPort(port)
                .buildBlocking();
        var auth = client.connectWith().simpleAuth();
        if (user == null) {
            auth.password(token.getBytes(UTF_8)).applySimpleAuth().send();
        } else {
            auth.username(user)
                    .password(token.getBytes(UTF_8))
                    .applySimpleAuth()
                    .send();
        }
        return client;
    }

    private String refusal(String user, String token) {
        try {
            connect(user, token).disconnect();
            return "";
        } catch (Mqtt5ConnAckException e) {
            return e.getMqttMessage().getReasonCode().name();
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

    /** OAUTHBEARER as HiveMQ's client has it done. */
    private static final class TokenMechanism implements Mqtt5EnhancedAuthMechanism {
        private volatile String token = "";

        @Override
        public MqttUtf8String getMethod() {
            return MqttUtf8String.of("OAUTHBEARER");
        }

        @Override
        public int getTimeout() {
            return 20;
        }

        @Override
        public CompletableFuture<Void> onAuth(
                Mqtt5ClientConfig config, Mqtt5Connect connect, Mqtt5EnhancedAuthBuilder builder) {
            builder.data(message());
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> onReAuth(Mqtt5ClientConfig config, Mqtt5AuthBuilder builder) {
            builder.data(message());
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Boolean> onContinue(
                Mqtt5ClientConfig config, Mqtt5Auth auth, Mqtt5AuthBuilder builder) {
            builder.data(new byte[] {1});
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletableFuture<Boolean> onAuthSuccess(Mqtt5ClientConfig config, Mqtt5ConnAck connAck) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletableFuture<Boolean> onReAuthSuccess(Mqtt5ClientConfig config, Mqtt5Auth auth) {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public void onAuthRejected(Mqtt5ClientConfig config, Mqtt5ConnAck connAck) {
            // the test sees it
        }

        @Override
        public void onReAuthRejected(Mqtt5ClientConfig config, Mqtt5Disconnect disconnect) {
            // the test sees it
        }

        @Override
        public void onAuthError(Mqtt5ClientConfig config, Throwable cause) {
            // the test sees it
        }

        @Override
        public void onReAuthError(Mqtt5ClientConfig config, Throwable cause) {
            // the test sees it
        }

        private byte[] message() {
            return ("n,,\u0001auth=Bearer " + token + "\u0001\u0001").getBytes(UTF_8);
        }
    }
}
