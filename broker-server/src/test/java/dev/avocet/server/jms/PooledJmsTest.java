package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;
import org.messaginghub.pooled.jms.JmsPoolSession;

/**
 * A pool of connections and sessions around our client, as applications have it that open and close one for each
 * message.
 */
final class PooledJmsTest {
    private static final long PATIENCE_MS = 30_000;

    @TempDir
    private Path data;

    private ServerUnderTest server;
    private JmsPoolConnectionFactory pool;

    @BeforeEach
    void start() throws Exception {
        server = new ServerUnderTest(data);
        pool = new JmsPoolConnectionFactory();
        pool.setConnectionFactory(
                new AvocetConnectionFactory(server.url() + "?reconnectDelay=50&reconnectDelayMax=200"));
        pool.setMaxConnections(1);
        pool.setMaxSessionsPerConnection(3);
        pool.setUseAnonymousProducers(true);
        pool.start();
    }

    @AfterEach
    void stop() {
        pool.stop();
        server.close();
    }

    @Test
    void shouldSendAndReceiveByBorrowedSessions() throws JMSException {
        Session first = sessionThatIsGivenBack();
        for (int i = 0; i < 10; i++) {
            send("orders", "" + i);
        }
        for (int i = 0; i < 10; i++) {
            assertThat(receive("orders")).isEqualTo("" + i);
        }
        assertThat(pool.getNumConnections()).isEqualTo(1);
        assertThat(sessionThatIsGivenBack()).isSameAs(first);
    }

    /** Ours, under that of the pool. */
    private Session sessionThatIsGivenBack() throws JMSException {
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession()) {
            return ((JmsPoolSession) session).getInternalSession();
        }
    }

    @Test
    void shouldRollBackWhatABorrowerLeavesUndone() throws JMSException {
        // given
        send("orders", "1");

        // when
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            Queue orders = session.createQueue("orders");
            try (MessageConsumer consumer = session.createConsumer(orders)) {
                assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
            }
            session.createProducer(orders).send(session.createTextMessage("2"));
        }

        // then
        assertThat(receive("orders")).isEqualTo("1");
        try (JMSContext context = pool.createContext()) {
            assertThat(context.createConsumer(context.createQueue("orders")).receiveNoWait())
                    .isNull();
        }
    }

    @Test
    void shouldGoOnWhenTheBrokerIsRestarted() throws Exception {
        // given
        send("orders", "before");

        // when
        server.restart();
        send("orders", "after");

        // then
        assertThat(receive("orders")).isEqualTo("before");
        assertThat(receive("orders")).isEqualTo("after");
    }

    private void send(String queue, String text) throws JMSException {
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.send(session.createTextMessage(text));
        }
    }

    private String receive(String queue) throws JMSException {
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
                Message message = consumer.receive(PATIENCE_MS);
                assertThat(message).isNotNull();
                return message.getBody(String.class);
            }
        }
    }
}
