package dev.avocet.server.rest.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.server.config.JsonTree;
import dev.avocet.server.rest.AdministeredBroker;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues whose messages a real JMS client has sent, administered by real HTTP requests. */
@InTurn
class QueueRequestsTest {
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
        create("{\"Queue\": {\"orders\": {}, \"bills\": {}}}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldShowWhatWaitsAndTakeNothing() throws Exception {
        // given
        send("orders", 3);

        // when
        List<Map<String, Object>> messages = browse("orders", "");

        // then: priority 9 comes first
        assertThat(messages).extracting(each -> each.get("Priority")).containsExactly(9L, 4L, 4L);
        assertThat(messages)
                .first()
                .satisfies(each -> assertThat(each)
                        .containsEntry("DeliveryCount", 0L)
                        .containsEntry("Persistent", true)
                        .containsEntry("CorrelationID", "c3")
                        .containsEntry("Body", "3")
                        .containsEntry("BodyBytes", 1L)
                        .containsKeys("Reference", "Bytes", "MessageID", "Time")
                        .extractingByKey("Properties", InstanceOfAssertFactories.MAP)
                        .containsEntry("n", "3"));
        assertThat(browse("orders", "?BodyBytes=0"))
                .allSatisfy(each -> assertThat(each).doesNotContainKey("Body"));
        assertThat(browse("orders", "?ResultCount=2")).hasSize(2);
        assertThat(browse("orders", "?Selector=n%20%3E%201"))
                .extracting(each -> each.get("CorrelationID"))
                .containsExactly("c3", "c2");
        assertThat(browse("bills", "")).isEmpty();
        assertThat(received("orders")).containsExactly("3", "1", "2");
        assertThat(broker.auditLog()).anyMatch(line -> line.contains("looked at 3 messages of queue 'orders'"));
    }

    @Test
    void shouldTakeOneMessageAway() throws Exception {
        // given
        send("orders", 3);
        Object second = browse("orders", "").get(1).get("Reference");

        // when
        HttpResponse<String> gone = broker.delete(QUEUES + "orders/message/" + second);

        // then
        assertThat(gone.statusCode()).isEqualTo(200);
        assertThat(broker.delete(QUEUES + "orders/message/" + second).statusCode())
                .isEqualTo(404);
        assertThat(received("orders")).containsExactly("3", "2");
    }

    @Test
    void shouldPurgeForGood() throws Exception {
        // given
        send("orders", 5);

        // when
        HttpResponse<String> purged = broker.post(QUEUES + "orders/purge", "{}");

        // then
        assertThat(purged.body()).contains("\"Messages\" : 5", "5 messages are gone.");
        assertThat(browse("orders", "")).isEmpty();
        restart();
        assertThat(browse("orders", "")).isEmpty();
        assertThat(received("orders")).isEmpty();
    }

    @Test
    void shouldMoveWhatIsAskedFor() throws Exception {
        // given
        send("orders", 5);

        // when
        HttpResponse<String> two = broker.post(QUEUES + "orders/move", "{\"To\": \"bills\", \"Count\": 2}");

        // then
        assertThat(two.body()).contains("\"Messages\" : 2");
        assertThat(browse("orders", "")).hasSize(3);
        assertThat(browse("bills", "")).hasSize(2);

        // when
        HttpResponse<String> rest = broker.post(QUEUES + "orders/move", "{\"To\": \"bills\"}");

        // then: with what they are, and over a restart
        assertThat(rest.body()).contains("\"Messages\" : 3");
        restart();
        assertThat(browse("orders", "")).isEmpty();
        assertThat(received("bills")).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
    }

    @Test
    void shouldMoveNoMoreThanThereIsRoomFor() throws Exception {
        // given
        create("{\"Queue\": {\"small\": {\"MaxMessages\": 2}}}");
        send("orders", 5);

        // when
        HttpResponse<String> moved = broker.post(QUEUES + "orders/move", "{\"To\": \"small\"}");

        // then
        assertThat(moved.body()).contains("\"Messages\" : 2");
        assertThat(browse("small", "")).hasSize(2);
        assertThat(browse("orders", "")).hasSize(3);
    }

    @Test
    void shouldDeleteAQueueWithMessagesOnlyWhenTold() throws Exception {
        // given
        send("orders", 1);

        // when
        HttpResponse<String> refused = broker.delete(CONFIGURATION + "/Queue/orders");

        // then
        assertThat(refused.statusCode()).isIn(400, 409);
        assertThat(refused.body()).contains("DiscardMessages=true");
        assertThat(browse("orders", "")).hasSize(1);

        // when
        HttpResponse<String> deleted = broker.delete(CONFIGURATION + "/Queue/orders?DiscardMessages=true");

        // then: the messages go first
        assertThat(deleted.statusCode()).isIn(200, 202);
        await().atMost(PATIENCE)
                .until(() -> broker.get(CONFIGURATION + "/Queue/orders").statusCode() == 404);
        await().atMost(PATIENCE)
                .until(() -> broker.get(QUEUES + "orders/message").statusCode() == 404);
        create("{\"Queue\": {\"orders\": {}}}");
        assertThat(browse("orders", "")).isEmpty();
        restart();
        assertThat(browse("orders", "")).isEmpty();
        assertThat(broker.delete(CONFIGURATION + "/Queue/orders").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET|none/message|``|404|there is no queue 'none'",
                "GET|orders/message?ResultCount=0|``|400|give 1 to 1000",
                "GET|orders/message?ResultCount=1001|``|400|give 1 to 1000",
                "GET|orders/message?Selector=n%20%3E|``|400|Selector: ",
                "DELETE|orders/message/x|``|400|is no Reference",
                "DELETE|orders/message/77|``|404|no message 77",
                "DELETE|none/message/77|``|404|no message 77",
                "POST|none/purge|{}|404|there is no queue 'none'",
                "POST|orders/move|{}|400|give To",
                "POST|orders/move|{\"To\": \"bills\", \"Count\": 0}|400|1 or more",
                "POST|orders/move|{\"To\": \"none\"}|404|there is no queue 'none'",
                "POST|none/move|{\"To\": \"bills\"}|404|there is no queue 'none'",
                "POST|orders/move|{\"To\": \"orders\"}|400|name another queue"
            })
    void shouldSayWhatIsWrong(String method, String path, String body, int status, String message) throws Exception {
        HttpResponse<String> refused =
                switch (method) {
                    case "GET" -> broker.get(QUEUES + path);
                    case "DELETE" -> broker.delete(QUEUES + path);
                    default -> broker.post(QUEUES + path, body);
                };

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
        assertThat(((Map<?, ?>) JsonTree.parse("answer", refused.body())).get("Message"))
                .asString()
                .contains(message);
    }

    private void restart() throws Exception {
        broker.close();
        broker = new AdministeredBroker(data, STORED);
    }

    private void create(String json) throws Exception {
        assertThat(broker.post(CONFIGURATION, json).statusCode()).isEqualTo(200);
    }

    private List<Map<String, Object>> browse(String queue, String query) throws Exception {
        return broker.list(QUEUES + queue + "/message" + query, "Message");
    }

    /** Messages 1, 2 and so on; the third is more urgent than the others. */
    private void send(String queue, int count) throws Exception {
        try (Connection connection = connect()) {
            Session session = connection.createSession();
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int i = 1; i <= count; i++) {
                Message message = session.createTextMessage("" + i);
                message.setIntProperty("n", i);
                message.setJMSCorrelationID("c" + i);
                producer.send(message, DeliveryMode.PERSISTENT, i == 3 ? 9 : 4, 0);
            }
        }
    }

    private List<String> received(String queue) throws Exception {
        List<String> bodies = new ArrayList<>();
        try (Connection connection = connect()) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            for (Message next; (next = consumer.receive(MOMENT_MS)) != null; ) {
                bodies.add(next.getBody(String.class));
            }
        }
        return bodies;
    }

    private Connection connect() throws Exception {
        Connection connection = new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port()).createConnection();
        connection.start();
        return connection;
    }
}
