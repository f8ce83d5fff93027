package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.InDoubtException;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client and the broker of this house with each other: what the conformance suite does not ask. */
final class AvocetClientTest {
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
    void shouldCommitAndRollBackBothEnds() throws JMSException {
        // given
        Session plain = connect("").createSession();
        Session session = connect("").createSession(Session.SESSION_TRANSACTED);
        Queue in = plain.createQueue("in");
        Queue out = plain.createQueue("out");
        send(plain, in, 0, 20);
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(out);
        MessageConsumer result = plain.createConsumer(out);

        // when
        forward(session, consumer, producer, 20);
        session.rollback();

        // then
        assertThat(result.receive(MOMENT_MS)).isNull();

        // when
        forward(session, consumer, producer, 20);
        session.commit();

        // then
        assertThat(texts(result, 20)).isEqualTo(numbers(0, 20));
        assertThat(consumer.receive(MOMENT_MS)).isNull();
        session.commit();
    }

    /** Commits go out before the answers to what is sent, but for the first ones. */
    @Test
    void shouldCommitNothingOfATransactionOfWhichAMessageIsRefused() throws JMSException {
        // given
        Session plain = connect("").createSession();
        Session session = connect("").createSession(Session.SESSION_TRANSACTED);
        Queue in = plain.createQueue("in");
        Queue out = plain.createQueue("out");
        send(plain, in, 0, 2);
        MessageConsumer consumer = session.createConsumer(in);
        MessageProducer producer = session.createProducer(null);
        MessageConsumer result = plain.createConsumer(out);
        producer.send(out, session.createTextMessage("first"));
        session.commit();
        assertThat(text(result)).isEqualTo("first");

        // when
        for (int i = 0; i < 3; i++) {
            assertThat(text(consumer)).isEqualTo("0");
            producer.send(out, session.createTextMessage("before"));
            producer.send(session.createTopic("$SYS/mine"), session.createTextMessage("refused"));
            producer.send(out, session.createTextMessage("behind"));
            assertThatThrownBy(session::commit)
                    .isInstanceOf(TransactionRolledBackException.class)
                    .hasMessageContaining("the broker's own");
        }

        // then
        assertThat(result.receive(MOMENT_MS)).isNull();
        assertThat(text(consumer)).isEqualTo("0");
        producer.send(out, session.createTextMessage("last"));
        session.commit();
        assertThat(text(result)).isEqualTo("last");
        assertThat(text(consumer)).isEqualTo("1");
    }

    @Test
    void shouldCommitWhatWasTakenWhenTheApplicationWaitsForEachMessageItself() throws JMSException {
        // given
        Session session = connect("asyncTransactionSend=false").createSession(Session.SESSION_TRANSACTED);
        Queue out = session.createQueue("out");
        MessageProducer producer = session.createProducer(null);

        // when
        producer.send(out, session.createTextMessage("taken"));
        assertThatThrownBy(() -> producer.send(session.createTopic("$SYS/mine"), session.createTextMessage("refused")))
                .hasMessageContaining("the broker's own");
        session.commit();

        // then
        assertThat(text(connect("").createSession().createConsumer(out))).isEqualTo("taken");
    }

    @Test
    void shouldTakeWhatIsThereWithoutWaiting() throws JMSException {
        // given
        Session session = connect("clientMessageCache=0").createSession();
        Queue queue = session.createQueue("ready");
        send(session, queue, 0, 10);

        // when
        MessageConsumer consumer = session.createConsumer(queue);
        List<String> taken = new ArrayList<>();
        for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
            taken.add(message.getBody(String.class));
        }

        // then
        assertThat(taken).isEqualTo(numbers(0, 10));
    }

    @Test
    void shouldSendAndReceiveWithoutAcknowledgements() throws JMSException {
        // given
        Session session = connect("disableACK=true").createSession();
        Queue queue = session.createQueue("fast");
        MessageConsumer consumer = session.createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        // when
        for (int i = 0; i < 5_000; i++) {
            producer.send(session.createTextMessage("" + i));
        }

        // then
        assertThat(texts(consumer, 5_000)).isEqualTo(numbers(0, 5_000));
        consumer.close();
        assertThat(connect("").createSession().createConsumer(queue).receive(MOMENT_MS))
                .as("what was taken does not come back")
                .isNull();
    }

    @Test
    void shouldShareADurableSubscriptionAcrossARestart() throws Exception {
        // given
        Session one = connect("clientMessageCache=1").createSession();
        Session two = connect("clientMessageCache=1").createSession();
        Topic topic = one.createTopic("news");
        MessageConsumer first = one.createSharedDurableConsumer(topic, "team");
        MessageConsumer second = two.createSharedDurableConsumer(topic, "team");

        // when both are there
        send(one, topic, 0, 100);

        // then
        List<String> shared = new ArrayList<>();
        for (int round = 0; round < 100 && shared.size() < 100; round++) {
            for (MessageConsumer member : List.of(first, second)) {
                Message message = member.receive(MOMENT_MS);
                if (message != null) {
                    shared.add(message.getBody(String.class));
                }
            }
        }
        assertThat(shared).containsExactlyInAnyOrderElementsOf(numbers(0, 100));

        // when none is
        first.close();
        second.close();
        send(one, topic, 100, 110);
        server.restart();

        // then
        MessageConsumer later = connect("").createSession().createSharedDurableConsumer(topic, "team");
        assertThat(texts(later, 10)).isEqualTo(numbers(100, 110));
    }

    @Test
    void shouldLoseNothingWhenTheBrokerIsRestarted() throws Exception {
        // given
        String options = "reconnectDelay=50&reconnectDelayMax=200";
        Session sending = connect(options).createSession();
        Queue queue = sending.createQueue("queue");
        Set<String> sure = new ConcurrentSkipListSet<>();
        Set<String> doubtful = new ConcurrentSkipListSet<>();
        AtomicReference<Exception> failure = new AtomicReference<>();
        AtomicBoolean stop = new AtomicBoolean();
        Thread sender = new Thread(() -> sendUntil(stop, sending, queue, sure, doubtful, failure));
        sender.start();

        // when
        for (int round = 0; round < 3; round++) {
            awaitMore(sure, 50);
            server.restart();
        }
        awaitMore(sure, 50);
        stop.set(true);
        sender.join();

        // then
        assertThat(failure.get()).isNull();
        Set<String> received = new TreeSet<>();
        MessageConsumer consumer = connect("").createSession().createConsumer(queue);
        Message message = consumer.receive(PATIENCE_MS);
        while (message != null) {
            assertThat(received.add(message.getBody(String.class)))
                    .as("no double")
                    .isTrue();
            message = consumer.receive(received.containsAll(sure) ? 1_000 : PATIENCE_MS);
        }
        assertThat(received).containsAll(sure);
        received.removeAll(sure);
        assertThat(doubtful).containsAll(received).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void shouldGoOnReceivingWhenTheBrokerIsRestarted() throws Exception {
        // given
        Session session = connect("reconnectDelay=50&reconnectDelayMax=200&clientMessageCache=0")
                .createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("queue");
        send(session, queue, 0, 30);
        MessageConsumer consumer = session.createConsumer(queue);
        Set<String> acknowledged = new TreeSet<>();

        // when
        for (int i = 0; acknowledged.size() < 30; i++) {
            Message message = consumer.receive(PATIENCE_MS);
            assertThat(message).as("what comes after %s", acknowledged).isNotNull();
            if (i % 10 == 5) {
                server.restart(); // it comes again
            } else {
                message.acknowledge();
                acknowledged.add(message.getBody(String.class));
            }
        }

        // then
        assertThat(acknowledged).containsExactlyInAnyOrderElementsOf(numbers(0, 30));
    }

    private static void sendUntil(
            AtomicBoolean stop,
            Session session,
            Queue queue,
            Set<String> sure,
            Set<String> doubtful,
            AtomicReference<Exception> failure) {
        try (MessageProducer producer = session.createProducer(queue)) {
            for (int i = 0; !stop.get(); i++) {
                String text = String.format("%08d", i);
                try {
                    producer.send(session.createTextMessage(text));
                    sure.add(text);
                } catch (InDoubtException e) {
                    doubtful.add(text);
                }
            }
        } catch (JMSException e) {
            failure.set(e);
        }
    }

    private static void awaitMore(Set<String> set, int more) {
        int had = set.size();
        await().until(() -> set.size() > had + more);
    }

    private static void forward(Session session, MessageConsumer from, MessageProducer to, int count)
            throws JMSException {
        for (int i = 0; i < count; i++) {
            assertThat(text(from)).isEqualTo("" + i);
            to.send(session.createTextMessage("" + i));
        }
    }

    private static void send(Session session, Destination to, int from, int end) throws JMSException {
        try (MessageProducer producer = session.createProducer(to)) {
            for (String text : numbers(from, end)) {
                producer.send(session.createTextMessage(text));
            }
        }
    }

    private static List<String> numbers(int from, int end) {
        List<String> all = new ArrayList<>();
        for (int i = from; i < end; i++) {
            all.add("" + i);
        }
        return all;
    }

    private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(text(consumer));
        }
        return all;
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
