package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.jms.InDoubtException;
import dev.avocet.server.jms.FrameProxy.Kind;
import dev.avocet.server.jms.FrameProxy.Place;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that knows both nodes of a pair: the first is killed, and the second begins to serve. What is tested is the
 * client, so the nodes do not share a store.
 */
@InTurn
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class PairClientTest {
    private static final long PATIENCE_MS = 30_000;

    @TempDir
    private Path directory;

    private KilledBroker first;
    private Standby second;

    @BeforeEach
    void start() throws Exception {
        first = new KilledBroker(directory);
        second = new Standby();
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void shouldGoOnAtTheNodeThatTakesOver() throws Exception {
        try (Connection connection = connect(first.port())) {
            // given
            List<JMSException> told = new CopyOnWriteArrayList<>();
            connection.setExceptionListener(told::add);
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            MessageProducer producer = session.createProducer(queue);
            MessageConsumer consumer = session.createConsumer(queue);
            producer.send(session.createTextMessage("before"));
            assertThat(text(consumer)).isEqualTo("before");

            // when: for a moment neither takes connections
            first.kill();
            second.takeOver();

            // then
            producer.send(session.createTextMessage("after"));
            assertThat(text(consumer)).isEqualTo("after");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void shouldPassOverAStandbyWhosePortIsClosed() throws Exception {
        String standbyFirst = "avocet:(127.0.0.1:" + second.port() + ",127.0.0.1:" + first.port() + ")";
        try (Connection connection = new AvocetConnectionFactory(standbyFirst).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Queue queue = session.createQueue("orders");
            session.createProducer(queue).send(session.createTextMessage("there"));
            assertThat(text(session.createConsumer(queue))).isEqualTo("there");
        }
    }

    @Test
    void shouldSayThatACommitIsInDoubtWhenTheNodeDiesWithIt() throws Exception {
        // given: the node dies when it has the commit, before its answer comes
        Place commit = new Place(true, Kind.DISCHARGE, 1, false);
        try (FrameProxy proxy = new FrameProxy(first.port(), commit, this::fail);
                Connection connection = connect(proxy.port())) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            Queue queue = session.createQueue("orders");
            MessageProducer producer = session.createProducer(queue);
            producer.send(session.createTextMessage("doubtful"));

            // when, then
            assertThatThrownBy(session::commit).isInstanceOf(InDoubtException.class);

            // and: it is not sent again by itself, and the session goes on
            producer.send(session.createTextMessage("next"));
            session.commit();
            MessageConsumer consumer = session.createConsumer(queue);
            assertThat(text(consumer)).isEqualTo("next");
            assertThat(consumer.receiveNoWait()).isNull();
            session.commit();
        }
    }

    @Test
    void shouldRollBackATransactionThatTheFirstNodeHad() throws Exception {
        try (Connection connection = connect(first.port())) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            Queue queue = session.createQueue("orders");
            MessageProducer producer = session.createProducer(queue);
            producer.send(session.createTextMessage("lost"));

            fail();

            assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
            producer.send(session.createTextMessage("next"));
            session.commit();
            assertThat(text(session.createConsumer(queue))).isEqualTo("next");
            session.commit();
        }
    }

    private void fail() {
        first.kill();
        second.takeOver();
    }

    private Connection connect(int firstPort) throws JMSException {
        String url = "avocet:(127.0.0.1:" + firstPort + ",127.0.0.1:" + second.port()
                + ")?reconnectDelay=20&reconnectDelayMax=200";
        Connection connection = new AvocetConnectionFactory(url).createConnection();
        connection.start();
        return connection;
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        return consumer.receive(PATIENCE_MS).getBody(String.class);
    }
}
