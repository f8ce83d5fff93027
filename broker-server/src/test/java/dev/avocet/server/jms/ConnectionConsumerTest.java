package dev.avocet.server.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application server does: a pool of sessions that connection consumers feed. */
final class ConnectionConsumerTest {
    private static final long PATIENCE_MS = 30_000;
    private static final long MOMENT_MS = 200;

    @TempDir
    private Path data;

    private ServerUnderTest server;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Pool> pools = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws Exception {
        server = new ServerUnderTest(data);
    }

    @AfterEach
    void stop() throws Exception {
        for (Pool pool : pools) {
            pool.close();
        }
        for (Connection each : connections) {
            each.close();
        }
        server.close();
    }

    @Test
    void shouldGiveSeveralSessionsManyMessagesAtATime() throws Exception {
        // given
        Connection connection = started(factory().createConnection());
        Session plain = started(factory().createConnection()).createSession();
        Queue queue = plain.createQueue("queue");
        send(plain, queue, 0, 100);
        Pool pool = pool(connection, 3, Session.AUTO_ACKNOWLEDGE, this::note);

        // when
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 10);
        send(plain, queue, 100, 200);

        // then
        await().until(() -> seen.size() == 200);
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(pool.starts.get()).isLessThan(200).isGreaterThanOrEqualTo(20);
        assertThat(consumer.getServerSessionPool()).isSameAs(pool);
        consumer.close();
        assertThatThrownBy(consumer::getServerSessionPool).isInstanceOf(IllegalStateException.class);
        send(plain, queue, 200, 201);
        assertThat(text(plain.createConsumer(queue))).isEqualTo("200");
    }

    @Test
    void shouldGiveOneMessageAtATimeInTheirOrder() throws Exception {
        // given
        Connection connection = started(factory().createConnection());
        Session plain = connection.createSession();
        Topic topic = plain.createTopic("topic");
        Pool pool = pool(connection, 1, Session.DUPS_OK_ACKNOWLEDGE, this::note);
        ConnectionConsumer consumer = connection.createConnectionConsumer(topic, "wanted", pool, 1);

        // when
        try (MessageProducer producer = plain.createProducer(topic)) {
            for (int i = 0; i < 20; i++) {
                Message message = plain.createTextMessage("" + i);
                message.setBooleanProperty("wanted", i % 2 == 0);
                producer.send(message);
            }
        }

        // then
        await().until(() -> seen.size() == 10);
        assertThat(seen).containsExactly("0", "2", "4", "6", "8", "10", "12", "14", "16", "18");
        assertThat(pool.starts.get()).isEqualTo(10);
        consumer.close();
    }

    @Test
    void shouldWaitForAConnectionThatIsNotStarted() throws Exception {
        // given
        Connection connection = factory().createConnection();
        connections.add(connection);
        Session plain = started(factory().createConnection()).createSession();
        Queue queue = plain.createQueue("queue");
        send(plain, queue, 0, 5);
        Pool pool = pool(connection, 1, Session.AUTO_ACKNOWLEDGE, this::note);
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 2);
        assertThat(pool.starts.get()).isZero();

        // when
        connection.start();

        // then
        await().until(() -> seen.size() == 5);

        // when
        connection.stop();
        send(plain, queue, 5, 10);
        consumer.close();

        // then
        assertThat(text(plain.createConsumer(queue))).isEqualTo("5");
        assertThat(seen).hasSize(5);
    }

    @Test
    void shouldConsumeFromSubscriptionsOfAllKinds() throws Exception {
        // given
        AvocetConnectionFactory named = factory();
        named.setClientID("client");
        TopicConnection connection = started(named.createTopicConnection());
        Session plain = started(factory().createConnection()).createSession();
        Topic topic = plain.createTopic("topic");
        Pool pool = pool(connection, 2, Session.AUTO_ACKNOWLEDGE, this::note);
        List<ConnectionConsumer> consumers = new ArrayList<>();
        consumers.add(connection.createConnectionConsumer(topic, null, pool, 5));
        consumers.add(connection.createDurableConnectionConsumer(topic, "durable", null, pool, 5));
        consumers.add(connection.createSharedConnectionConsumer(topic, "shared", null, pool, 5));
        consumers.add(connection.createSharedConnectionConsumer(topic, "shared", null, pool, 5));
        consumers.add(connection.createSharedDurableConnectionConsumer(topic, "both", null, pool, 5));

        // when
        send(plain, topic, 0, 10);

        // then
        await().until(() -> seen.size() == 40);
        assertThat(seen.stream().filter("7"::equals)).hasSize(4);

        // when
        for (ConnectionConsumer each : consumers) {
            each.close();
        }
        send(plain, topic, 10, 11);
        consumers.add(connection.createDurableConnectionConsumer(topic, "durable", null, pool, 5));

        // then
        await().until(() -> seen.size() == 41);
        assertThat(seen).contains("10");
    }

    @Test
    void shouldRefuseWhatCannotBe() throws Exception {
        Connection connection = started(factory().createConnection());
        QueueConnection queues = started(factory().createQueueConnection());
        Session plain = connection.createSession();
        Topic topic = plain.createTopic("topic");
        Pool pool = pool(connection, 1, Session.AUTO_ACKNOWLEDGE, this::note);

        assertThatThrownBy(() -> connection.createConnectionConsumer(topic, null, pool, 0))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("maxMessages");
        assertThatThrownBy(() -> connection.createConnectionConsumer(topic, null, null, 1))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "name", null, pool, 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> queues.createSharedConnectionConsumer(topic, "name", null, pool, 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldLetASessionEndWhatItHasWhenTheConsumerIsClosed() throws Exception {
        // given
        Connection connection = started(factory().createConnection());
        Session plain = started(factory().createConnection()).createSession();
        Queue queue = plain.createQueue("queue");
        send(plain, queue, 0, 1);
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Pool pool = pool(connection, 1, Session.AUTO_ACKNOWLEDGE, message -> {
            began.countDown();
            pass(mayEnd);
            note(message);
        });
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 1);
        pass(began);

        // when
        consumer.close();
        mayEnd.countDown();
        await().until(() -> seen.size() == 1);

        // then
        assertThat(plain.createConsumer(queue).receive(MOMENT_MS))
                .as("it is acknowledged, and does not come again")
                .isNull();
    }

    @Test
    void shouldConsumeInGlobalTransactions() throws Exception {
        // given
        XAConnection connection = started(factory().createXAConnection());
        Session plain = started(factory().createConnection()).createSession();
        Queue queue = plain.createQueue("queue");
        send(plain, queue, 0, 10);
        AtomicInteger rolledBack = new AtomicInteger();
        Pool pool = new Pool();
        pools.add(pool);
        XASession session = connection.createXASession();
        session.getSession().setMessageListener(this::note);
        pool.add(session, run -> inBranch(session.getXAResource(), run, rolledBack));

        // when every branch is rolled back once
        connection.createConnectionConsumer(queue, null, pool, 1);

        // then
        await().until(() -> seen.size() >= 20 && pool.isIdle());
        assertThat(rolledBack.get()).isEqualTo(10);
        assertThat(plain.createConsumer(queue).receive(MOMENT_MS)).isNull();
    }

    private void inBranch(XAResource resource, Runnable run, AtomicInteger rolledBack) {
        BranchName xid = new BranchName(seen.size() + 1);
        try {
            resource.start(xid, XAResource.TMNOFLAGS);
            run.run();
            resource.end(xid, XAResource.TMSUCCESS);
            if (rolledBack.get() < 10) {
                rolledBack.incrementAndGet();
                resource.rollback(xid);
            } else {
                resource.prepare(xid);
                resource.commit(xid, false);
            }
        } catch (javax.transaction.xa.XAException e) {
            throw new AssertionError("code " + e.errorCode, e);
        }
    }

    private void note(Message message) {
        try {
            seen.add(message.getBody(String.class));
        } catch (JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static void pass(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE_MS, TimeUnit.MILLISECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Pool pool(Connection connection, int size, int mode, MessageListener listener) throws JMSException {
        Pool pool = new Pool();
        pools.add(pool);
        for (int i = 0; i < size; i++) {
            Session session = connection.createSession(mode);
            session.setMessageListener(listener);
            pool.add(session, Runnable::run);
        }
        return pool;
    }

    private static void send(Session session, jakarta.jms.Destination to, int from, int end) throws JMSException {
        try (MessageProducer producer = session.createProducer(to)) {
            for (int i = from; i < end; i++) {
                producer.send(session.createTextMessage("" + i));
            }
        }
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getBody(String.class);
    }

    private AvocetConnectionFactory factory() {
        return new AvocetConnectionFactory(server.url());
    }

    private <T extends Connection> T started(T made) throws JMSException {
        connections.add(made);
        made.start();
        return made;
    }

    /** As many server sessions as it was given; who wants another one waits. */
    private static final class Pool implements ServerSessionPool {
        private final BlockingQueue<ServerSession> idle = new LinkedBlockingQueue<>();
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final AtomicInteger starts = new AtomicInteger();
        private final AtomicInteger size = new AtomicInteger();

        /** @param around what the server does around the session's run() */
        void add(Session session, java.util.function.Consumer<Runnable> around) {
            size.incrementAndGet();
            idle.add(new ServerSession() {
                @Override
                public Session getSession() {
                    return session;
                }

                @Override
                public void start() {
                    starts.incrementAndGet();
                    threads.execute(() -> {
                        try {
                            around.accept(session);
                        } finally {
                            idle.add(this);
                        }
                    });
                }
            });
        }

        boolean isIdle() {
            return idle.size() == size.get();
        }

        @Override
        public ServerSession getServerSession() throws JMSException {
            try {
                return idle.take();
            } catch (InterruptedException e) {
                throw new JMSException("interrupted");
            }
        }

        void close() {
            threads.shutdown();
        }
    }
}
