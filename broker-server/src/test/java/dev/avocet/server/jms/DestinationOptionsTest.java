package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of one destination, and the names of temporary ones. */
final class DestinationOptionsTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 200;

    @TempDir
    private Path data;

    private ServerUnderTest server;
    private final List<Connection> connections = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        server = new ServerUnderTest(data);
    }

    @AfterEach
    void stop() throws JMSException {
        for (Connection each : connections) {
            each.close();
        }
        server.close();
    }

    @Test
    void shouldHoldAsManyMessagesReadyAsTheDestinationSays() throws JMSException {
        // given
        Session session = connect("").createSession();
        Queue plain = session.createQueue("orders");
        Queue one = session.createQueue("queue://orders?CLIENTMESSAGECACHE=0");
        assertThat(one).isEqualTo(plain);
        assertThat(one.getQueueName()).isEqualTo("orders");
        send(session, plain, "first", "second");

        // when
        MessageConsumer modest = session.createConsumer(one);
        assertThat(text(modest)).isEqualTo("first");

        // then
        assertThat(text(session.createConsumer(plain)))
                .as("the modest one holds nothing")
                .isEqualTo("second");
    }

    @Test
    void shouldNotAcknowledgeWhatTheDestinationSays() throws JMSException {
        // given
        Session session = connect("").createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue plain = session.createQueue("fast");
        send(session, plain, "lost");
        Session other = connect("").createSession();

        // when
        MessageConsumer careless = session.createConsumer(session.createQueue("queue://fast?disableACK=true"));
        assertThat(text(careless)).isEqualTo("lost");
        session.close();

        // then
        assertThat(other.createConsumer(plain).receive(MOMENT_MS)).isNull();

        // when
        Session acknowledging = connect("disableACK=true").createSession(Session.CLIENT_ACKNOWLEDGE);
        send(acknowledging, plain, "kept");
        MessageConsumer careful =
                acknowledging.createConsumer(acknowledging.createQueue("queue://fast?disableACK=false"));
        other.close();
        assertThat(text(careful)).isEqualTo("kept");
        acknowledging.close();

        // then
        assertThat(text(connect("").createSession().createConsumer(plain))).isEqualTo("kept");
    }

    @Test
    void shouldRefuseOptionsThatThereAreNot() throws JMSException {
        Session session = connect("").createSession();

        assertThatThrownBy(() -> session.createQueue("queue://orders?cache=1"))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("clientMessageCache");
        assertThatThrownBy(() -> session.createTopic("topic://prices?clientMessageCache=-1"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createTopic("topic://?disableACK=true"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThat(session.createQueue("orders?cache=1").getQueueName()).isEqualTo("orders?cache=1");
    }

    @Test
    void shouldBeginTheNamesOfTemporaryDestinationsAsTheFactorySays() throws JMSException {
        // given
        Session session = connect("clientID=me&temporaryQueue=_TQ/$CLIENTID/&temporaryTopic=_TT/$CLIENTID/")
                .createSession();

        // when
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();

        // then
        assertThat(queue.getQueueName()).startsWith("_TQ/me/").hasSizeGreaterThan(20);
        assertThat(topic.getTopicName()).startsWith("_TT/me/").hasSizeGreaterThan(20);
        MessageConsumer ofQueue = session.createConsumer(queue);
        MessageConsumer ofTopic = session.createConsumer(topic);
        Session other = connect("").createSession();
        send(other, queue, "one");
        send(other, topic, "two");
        assertThat(text(ofQueue)).isEqualTo("one");
        assertThat(text(ofTopic)).isEqualTo("two");
        ofQueue.close();
        queue.delete();
        assertThat(connect("").createSession().createTemporaryQueue().getQueueName())
                .startsWith("temporary-queue/");
    }

    @Test
    void shouldRefuseNamesThatCannotBe() throws JMSException {
        Session session = connect("temporaryQueue=$SYS/&temporaryTopic=a%2B/").createSession();

        assertThatThrownBy(session::createTemporaryQueue)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("begin with $");
        assertThatThrownBy(session::createTemporaryTopic).isInstanceOf(JMSException.class);
    }

    private static void send(Session session, jakarta.jms.Destination to, String... texts) throws JMSException {
        for (String text : texts) {
            session.createProducer(to).send(session.createTextMessage(text));
        }
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getBody(String.class);
    }

    /** Started, and closed after the test. */
    private Connection connect(String options) throws JMSException {
        Connection connection = new AvocetConnectionFactory(server.url() + "?" + options).createConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }
}
