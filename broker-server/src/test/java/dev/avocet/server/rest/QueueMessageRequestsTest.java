package dev.avocet.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.server.config.JsonTree;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single messages of queues that administrators look at, move, send back and send, with a real JMS client beside. */
@InTurn
class QueueMessageRequestsTest {
    private static final String QUEUES = "/api/v1/service/queue/";
    private static final String CONFIGURATION = "/api/v1/configuration";
    private static final String STORED =
            "{\"mode\": \"os\", \"journal\": \"file\", \"directory\": \"kept\", \"segmentBytes\": 4194304}";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long MOMENT_MS = 500;

    @TempDir
    private Path data;

    private AdministeredBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new AdministeredBroker(data, STORED);
        create("{\"Queue\": {\"dead\": {}, \"bills\": {}, \"small\": {\"MaxMessages\": 1},"
                + " \"orders\": {\"DeadLetterQueue\": \"dead\", \"MaxDeliveries\": 1}}}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldSendWhatAJmsClientGetsAsIfAClientHadSentIt() throws Exception {
        // when
        HttpResponse<String> text = broker.post(
                QUEUES + "orders/message",
                "{\"Body\": \"{\\\"temperature\\\": 21.5}\", \"ContentType\": \"application/json\", \"Priority\": 7,"
                        + " \"Type\": \"reading\", \"CorrelationID\": \"c1\", \"ReplyTo\": \"bills\", \"GroupID\": \"g\","
                        + " \"ExpirySeconds\": 3600,"
                        + " \"Properties\": {\"plant\": \"north\", \"n\": 12, \"ratio\": 0.5, \"alarm\": true}}");
        HttpResponse<String> bytes = broker.post(
                QUEUES + "orders/message", "{\"Body\": \"AAH/\", \"BodyEncoding\": \"base64\", \"Persistent\": false}");

        // then
        assertThat(text.statusCode()).as(text.body()).isEqualTo(200);
        assertThat(bytes.statusCode()).as(bytes.body()).isEqualTo(200);
        String id = String.valueOf(answer(text).get("MessageID"));
        List<Map<String, Object>> waiting = browse("orders", "");
        assertThat(waiting).extracting(each -> each.get("Priority")).containsExactly(7L, 4L);
        assertThat(waiting.get(0))
                .containsEntry("MessageID", id)
                .containsEntry("Type", "reading")
                .containsEntry("GroupID", "g")
                .containsEntry("SentTo", "orders")
                .containsKey("Expires");
        try (Connection connection = connect()) {
            MessageConsumer consumer = consumer(connection, "orders");
            TextMessage first = (TextMessage) Objects.requireNonNull(consumer.receive(PATIENCE.toMillis()));
            assertThat(first.getText()).isEqualTo("{\"temperature\": 21.5}");
            assertThat(first.getJMSMessageID()).isEqualTo(id);
            assertThat(first.getJMSType()).isEqualTo("reading");
            assertThat(first.getJMSCorrelationID()).isEqualTo("c1");
            assertThat(first.getJMSReplyTo().toString()).isEqualTo("bills");
            assertThat(first.getJMSPriority()).isEqualTo(7);
            assertThat(first.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
            assertThat(first.getJMSExpiration()).isPositive();
            assertThat(first.getStringProperty("JMSXGroupID")).isEqualTo("g");
            assertThat(first.getStringProperty("plant")).isEqualTo("north");
            assertThat(first.getLongProperty("n")).isEqualTo(12);
            assertThat(first.getDoubleProperty("ratio")).isEqualTo(0.5);
            assertThat(first.getBooleanProperty("alarm")).isTrue();
            BytesMessage second = (BytesMessage) Objects.requireNonNull(consumer.receive(PATIENCE.toMillis()));
            assertThat(second.getBody(byte[].class)).containsExactly(0, 1, -1);
            assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
            assertThat(second.getJMSExpiration()).isZero();
        }
        assertThat(broker.auditLog()).anyMatch(line -> line.contains("sent a message of 21 bytes to queue 'orders'"));
    }

    @Test
    void shouldKeepWhatItHasTakenAndDeliverWhatIsDelayedOnlyThen() throws Exception {
        // given
        send("bills", "kept", "");
        send("bills", "later", ", \"DelaySeconds\": 2");

        // when
        restart();

        // then
        assertThat(browse("bills", "")).extracting(each -> each.get("Body")).containsExactly("kept");
        await().atMost(PATIENCE).until(() -> browse("bills", "").size() == 2);
    }

    @Test
    void shouldShowOneMessageAsAWholeAndPageThroughTheOthers() throws Exception {
        // given
        send("bills", "x".repeat(3000), ", \"Properties\": {\"n\": 1}");
        for (int i = 0; i < 4; i++) {
            send("bills", "m" + i, "");
        }

        // when
        Map<String, Object> listed = browse("bills", "?ResultCount=2").get(0);
        Map<String, Object> whole = broker.list(QUEUES + "bills/message/" + listed.get("Reference"), "Message")
                .get(0);
        Map<String, Object> part = broker.list(
                        QUEUES + "bills/message/" + listed.get("Reference") + "?BodyBytes=10", "Message")
                .get(0);

        // then
        assertThat(listed).containsEntry("BodyIsCut", true).containsEntry("BodyBytes", 3000L);
        assertThat(whole).containsEntry("BodyIsCut", false).containsEntry("Body", "x".repeat(3000));
        assertThat(part).containsEntry("Body", "x".repeat(10)).containsEntry("BodyBytes", 3000L);
        assertThat(whole)
                .extractingByKey("Properties", InstanceOfAssertFactories.MAP)
                .containsEntry("n", "1");
        HttpResponse<String> middle = broker.get(QUEUES + "bills/message?ResultCount=2&ResultOffset=1");
        assertThat(answer(middle)).containsEntry("More", true);
        assertThat(browse("bills", "?ResultCount=2&ResultOffset=1"))
                .extracting(each -> each.get("Body"))
                .containsExactly("m0", "m1");
        HttpResponse<String> end = broker.get(QUEUES + "bills/message?ResultCount=2&ResultOffset=3");
        assertThat(answer(end)).containsEntry("More", false);
        assertThat(browse("bills", "?ResultOffset=7")).isEmpty();
        assertThat(broker.auditLog()).anyMatch(line -> line.contains("looked at message"));
    }

    @Test
    void shouldMoveTheMessagesThatAreMeantAndTellWhichStay() throws Exception {
        // given
        for (int i = 0; i < 4; i++) {
            send("bills", "m" + i, "");
        }
        List<Map<String, Object>> waiting = browse("bills", "");
        Object first = waiting.get(0).get("Reference");
        Object third = waiting.get(2).get("Reference");

        // when
        HttpResponse<String> moved = broker.post(
                QUEUES + "bills/move", "{\"To\": \"dead\", \"References\": [" + third + ", " + first + ", 77]}");

        // then
        assertThat(answer(moved).get("Message"))
                .asString()
                .contains("2 messages were moved; 1 stays: it does not wait in this queue any more.");
        restart();
        assertThat(bodies("bills")).containsExactly("m1", "m3");
        assertThat(bodies("dead")).containsExactly("m2", "m0");
        assertThat(broker.list(QUEUES + "dead/message", "Message"))
                .allSatisfy(each -> assertThat(each).doesNotContainKey("DeadLetterCause"));

        // when
        List<Map<String, Object>> left = browse("bills", "");
        HttpResponse<String> tooMany = broker.post(
                QUEUES + "bills/move",
                "{\"To\": \"small\", \"References\": [" + left.get(0).get("Reference") + ", "
                        + left.get(1).get("Reference") + "]}");

        // then
        assertThat(answer(tooMany).get("Message")).asString().contains("has no room");
        assertThat(bodies("small")).containsExactly("m1");
        assertThat(bodies("bills")).containsExactly("m3");
    }

    @Test
    void shouldSendDeadLettersBackToWhereTheyCameFrom() throws Exception {
        // given
        for (int i = 0; i < 3; i++) {
            send("orders", "m" + i, "");
        }
        rejectAll("orders", 3);
        await().atMost(PATIENCE).until(() -> browse("dead", "").size() == 3);
        send("dead", "stray", "");
        Map<String, Object> first = browse("dead", "").get(0);

        // when
        HttpResponse<String> one =
                broker.post(QUEUES + "dead/resend", "{\"References\": [" + first.get("Reference") + "]}");

        // then
        assertThat(answer(one)).containsEntry("Message", "1 message was sent back.");
        assertThat(bodies("orders")).containsExactly(first.get("Body"));

        // when
        HttpResponse<String> rest = broker.post(QUEUES + "dead/resend", "{}");

        // then
        assertThat(answer(rest)).containsEntry("Message", "2 messages were sent back.");
        restart();
        assertThat(bodies("orders")).containsExactlyInAnyOrder("m0", "m1", "m2");
        assertThat(bodies("dead")).containsExactly("stray");
        assertThat(broker.list(QUEUES + "orders/message", "Message"))
                .allSatisfy(each ->
                        assertThat(each).containsEntry("DeliveryCount", 0L).doesNotContainKey("DeadLetterCause"));
        assertThat(answer(broker.post(QUEUES + "dead/resend", "{}")))
                .containsEntry("Message", "No dead letter waits in the queue.");
    }

    @Test
    void shouldAskForAQueueWhereItDoesNotKnowWhereAMessageCameFrom() throws Exception {
        // given
        send("dead", "stray", "");
        Object stray = browse("dead", "").get(0).get("Reference");

        // when
        HttpResponse<String> refused = broker.post(QUEUES + "dead/resend", "{\"References\": [" + stray + "]}");

        // then
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("name one with To");
        assertThat(bodies("dead")).containsExactly("stray");

        // when
        HttpResponse<String> named =
                broker.post(QUEUES + "dead/resend", "{\"To\": \"bills\", \"References\": [" + stray + "]}");

        // then
        assertThat(named.statusCode()).isEqualTo(200);
        assertThat(bodies("bills")).containsExactly("stray");
    }

    @Test
    void shouldHidePayloadsWhenTheConfigurationSaysSo() throws Exception {
        // given
        send("bills", "secret", ", \"Properties\": {\"n\": 1}");
        create("{\"HideMessagePayloads\": true}");

        // when
        Map<String, Object> listed = browse("bills", "").get(0);
        Map<String, Object> whole = broker.list(QUEUES + "bills/message/" + listed.get("Reference"), "Message")
                .get(0);

        // then
        for (Map<String, Object> each : List.of(listed, whole)) {
            assertThat(each)
                    .containsEntry("BodyIsHidden", true)
                    .containsEntry("BodyBytes", 6L)
                    .doesNotContainKey("Body");
            assertThat(each.toString()).doesNotContain("secret");
        }
    }

    @Test
    void shouldDoNothingForWhoMayOnlyView() throws Exception {
        // given
        send("bills", "m0", "");
        Object reference = browse("bills", "").get(0).get("Reference");
        assertThat(broker.put("/api/v1/user/vera", "{\"Password\": \"pencil\"}").statusCode())
                .isIn(200, 201);
        create("{\"AdminUserPassword\": \"pencil\"}");
        broker.login("vera:pencil");

        // when, then
        assertThat(broker.get(QUEUES + "bills/message/" + reference).statusCode())
                .isEqualTo(403);
        assertThat(broker.post(QUEUES + "bills/message", "{\"Body\": \"x\"}").statusCode())
                .isEqualTo(403);
        assertThat(broker.post(QUEUES + "bills/resend", "{\"To\": \"dead\"}").statusCode())
                .isEqualTo(403);
        assertThat(broker.post(QUEUES + "bills/move", "{\"To\": \"dead\"}").statusCode())
                .isEqualTo(403);
        broker.login("admin:pencil");
        assertThat(bodies("bills")).containsExactly("m0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "bills/message|{}|400|Body: give the message",
                "bills/message|{\"Body\": 7}|400|Body: give the message",
                "bills/message|{\"Body\": \"x\", \"Colour\": 1}|400|'Colour' means nothing here",
                "bills/message|{\"Body\": \"x\", \"Priority\": 10}|400|Priority: give a whole number from 0 to 9",
                "bills/message|{\"Body\": \"x\", \"DelaySeconds\": -1}|400|DelaySeconds: give",
                "bills/message|{\"Body\": \"x\", \"ExpirySeconds\": 1.5}|400|ExpirySeconds: give a whole number",
                "bills/message|{\"Body\": \"x\", \"BodyEncoding\": \"hex\"}|400|give text or base64",
                "bills/message|{\"Body\": \"?\", \"BodyEncoding\": \"base64\"}|400|is not Base64",
                "bills/message|{\"Body\": \"\\ud800\"}|400|half of a surrogate pair",
                "bills/message|{\"Body\": \"x\", \"Persistent\": \"yes\"}|400|Persistent: give true or false",
                "bills/message|{\"Body\": \"x\", \"ContentType\": \"ä\"}|400|ContentType: give a media type",
                "bills/message|{\"Body\": \"x\", \"Properties\": {\"JMSX\": 1}}|400|do not begin with JMS",
                "bills/message|{\"Body\": \"x\", \"Properties\": {\"a\": []}}|400|'a' has no value",
                "bills/message|{\"Body\": \"x\", \"Properties\": []}|400|Properties: give an object",
                "none/message|{\"Body\": \"x\"}|404|there is no queue 'none'",
                "closed/message|{\"Body\": \"x\"}|409|AllowSend is false",
                "bills/move|{\"To\": \"dead\", \"References\": []}|400|References: give a list",
                "bills/move|{\"To\": \"dead\", \"References\": [\"1\"]}|400|References: give a list",
                "bills/move|{\"To\": \"dead\", \"References\": [77]}|404|the message was not moved",
                "bills/move|{\"To\": \"dead\", \"Rows\": 1}|400|'Rows' means nothing here",
                "bills/resend|{\"Count\": 1001}|400|Count: give 1 to 1000",
                "bills/resend|{\"To\": \"bills\"}|400|name another queue",
                "bills/resend|{\"To\": \"none\"}|404|there is no queue 'none'",
                "bills/resend|{\"Count\": 1, \"References\": [1]}|400|either References or Count",
                "none/resend|{}|404|there is no queue 'none'"
            })
    void shouldSayWhatIsWrong(String path, String body, int status, String message) throws Exception {
        create("{\"Queue\": {\"closed\": {\"AllowSend\": false}}}");

        HttpResponse<String> refused = broker.post(QUEUES + path, body);

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
        assertThat(answer(refused).get("Message")).asString().contains(message);
    }

    @Test
    void shouldSayWhatIsWrongWithAQuestion() throws Exception {
        assertThat(broker.get(QUEUES + "bills/message/77").statusCode()).isEqualTo(404);
        assertThat(broker.get(QUEUES + "none/message/77").body()).contains("there is no queue 'none'");
        assertThat(broker.get(QUEUES + "bills/message/x").statusCode()).isEqualTo(400);
        assertThat(broker.get(QUEUES + "bills/message?ResultOffset=9976").body())
                .contains("give 0 to 9975");
    }

    private static Map<?, ?> tree(HttpResponse<String> answer) throws Exception {
        return (Map<?, ?>) JsonTree.parse("answer", answer.body());
    }

    @SuppressWarnings("unchecked") // an object of JSON
    private static Map<String, Object> answer(HttpResponse<String> answer) throws Exception {
        return (Map<String, Object>) tree(answer);
    }

    private void send(String queue, String body, String more) throws Exception {
        HttpResponse<String> sent =
                broker.post(QUEUES + queue + "/message", "{\"Body\": \"" + body + "\"" + more + "}");
        assertThat(sent.statusCode()).as(sent.body()).isEqualTo(200);
    }

    private void restart() throws Exception {
        broker.close();
        broker = new AdministeredBroker(data, STORED);
    }

    private void create(String json) throws Exception {
        HttpResponse<String> created = broker.post(CONFIGURATION, json);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
    }

    private List<Map<String, Object>> browse(String queue, String query) throws Exception {
        return broker.list(QUEUES + queue + "/message" + query, "Message");
    }

    private List<Object> bodies(String queue) throws Exception {
        List<Object> bodies = new ArrayList<>();
        browse(queue, "").forEach(each -> bodies.add(each.get("Body")));
        return bodies;
    }

    private void rejectAll(String queue, int count) throws Exception {
        try (Connection connection = connect()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (int i = 0; i < count; i++) {
                assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
            }
            session.rollback();
            await().atMost(PATIENCE).until(() -> consumer.receive(MOMENT_MS) == null);
        }
    }

    private static MessageConsumer consumer(Connection connection, String queue) throws Exception {
        Session session = connection.createSession();
        return session.createConsumer(session.createQueue(queue));
    }

    private Connection connect() throws Exception {
        Connection connection = new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port()).createConnection();
        connection.start();
        return connection;
    }
}
