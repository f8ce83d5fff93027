package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TransactionRolledBackException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server goes away without a word and comes back with its store. */
@InTurn
final class FailoverTest {
    private static final long WAIT_MS = 20_000;

    @TempDir
    private Path directory;

    private int port;
    private int deadPort;
    private EmbeddedServer server;
    private Connection connection;

    @BeforeEach
    void start() throws Exception {
        port = FreePort.next();
        deadPort = FreePort.next();
        server = new EmbeddedServer(directory, port).start();
        connection = new AvocetConnectionFactory("avocet://localhost:" + deadPort + ",localhost:" + port
                        + "?reconnectDelay=50&reconnectDelayMax=200")
                .createConnection();
        connection.start();
    }

    /** Nothing is cached, so that what is received after the restart comes from after the restart. */
    private Connection withoutCache() throws JMSException {
        final Connection careful = new AvocetConnectionFactory(
                        "avocet://localhost:" + port + "?clientMessageCache=0&reconnectDelay=50&reconnectDelayMax=200")
                .createConnection();
        careful.start();
        return careful;
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        server.close();
    }

    private void restart() throws Exception {
        server.stop();
        server = new EmbeddedServer(directory, port).start();
    }

    /**
     * An acknowledgement has no answer: the server may have gone before it had it, and then sends the message again.
     */
    private static String receiveAfter(final MessageConsumer consumer, final String acknowledged) throws JMSException {
        final String text = consumer.receive(WAIT_MS).getBody(String.class);
        return text.equals(acknowledged) ? consumer.receive(WAIT_MS).getBody(String.class) : text;
    }

    @Test
    void shouldGoOnSendingAndReceivingQuietly() throws Exception {
        // given
        final List<Exception> told = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(told::add);
        final Session session = connection.createSession();
        final Queue queue = session.createQueue("queue");
        final MessageProducer producer = session.createProducer(queue);
        final MessageConsumer consumer = session.createConsumer(queue);
        producer.send(session.createTextMessage("before"));
        assertThat(consumer.receive(WAIT_MS)).isNotNull();

        // when
        restart();
        producer.send(session.createTextMessage("after"));

        // then
        assertThat(receiveAfter(consumer, "before")).isEqualTo("after");
        assertThat(told).isEmpty();
    }

    /** Linux answers nothing at a port where as many connections wait as may. */
    @Test
    void shouldPassOverAHostThatDoesNotAnswer() throws Exception {
        final List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // given
            final InetSocketAddress address = (InetSocketAddress) silent.getLocalSocketAddress();
            for (int i = 0; i < 8; i++) {
                final SocketChannel one = SocketChannel.open();
                waiting.add(one);
                one.configureBlocking(false);
                one.connect(address);
            }
            final AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet:(" + address.getHostString()
                    + ":" + address.getPort() + ",localhost:" + port + ")?connectTimeout=600000");

            // when, then: in a small part of the ten minutes
            try (Connection other =
                    CompletableFuture.supplyAsync(() -> connected(factory)).get(WAIT_MS, TimeUnit.MILLISECONDS)) {
                assertThat(other.getMetaData()).isNotNull();
            }
        } finally {
            for (final SocketChannel one : waiting) {
                one.close();
            }
        }
    }

    private static Connection connected(final AvocetConnectionFactory factory) {
        try {
            final Connection made = factory.createConnection();
            made.start();
            return made;
        } catch (final JMSException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldLoseNothingAndDoubleNothingOfWhatWasNotInDoubt() throws Exception {
        // given
        final Set<String> sure = new ConcurrentSkipListSet<>();
        final Set<String> doubtful = new ConcurrentSkipListSet<>();
        final Set<String> refused = new ConcurrentSkipListSet<>();
        final AtomicBoolean stop = new AtomicBoolean();
        final Session session = connection.createSession();
        final Queue queue = session.createQueue("queue");
        final MessageProducer producer = session.createProducer(queue);
        final Thread sender = new Thread(() -> {
            for (int i = 0; !stop.get(); i++) {
                final String text = String.format("%08d", i);
                try {
                    producer.send(session.createTextMessage(text));
                    sure.add(text);
                } catch (final InDoubtException e) {
                    doubtful.add(text);
                } catch (final JMSException e) {
                    refused.add(text); // by a server that is stopping
                }
            }
        });
        sender.start();

        // when
        for (int i = 0; i < 3; i++) {
            final int had = sure.size();
            await().until(() -> sure.size() > had + 100);
            restart();
        }
        final int had = sure.size();
        await().until(() -> sure.size() > had + 100);
        stop.set(true);
        sender.join();

        // then
        final Set<String> received = new TreeSet<>();
        final MessageConsumer consumer = session.createConsumer(queue);
        Message message = consumer.receive(WAIT_MS);
        while (message != null) {
            assertThat(received.add(message.getBody(String.class)))
                    .as("no double")
                    .isTrue();
            message = consumer.receive(received.containsAll(sure) ? 1000 : WAIT_MS);
        }
        assertThat(received).containsAll(sure).doesNotContainAnyElementsOf(refused.isEmpty() ? Set.of("") : refused);
        received.removeAll(sure);
        assertThat(doubtful).containsAll(received).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void shouldSayThatTheTransactionIsRolledBack() throws Exception {
        final Session session = connection.createSession(Session.SESSION_TRANSACTED);
        final Queue queue = session.createQueue("queue");
        final MessageProducer producer = session.createProducer(queue);
        final MessageConsumer consumer = session.createConsumer(queue);
        producer.send(session.createTextMessage("lost with the transaction"));

        restart();

        assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
        producer.send(session.createTextMessage("next"));
        session.commit();
        assertThat(consumer.receive(WAIT_MS).getBody(String.class)).isEqualTo("next");
        session.commit();
    }

    @Test
    void shouldDeliverAgainWhatWasNotAcknowledged() throws Exception {
        try (Connection careful = withoutCache()) {
            final Session session = careful.createSession(Session.CLIENT_ACKNOWLEDGE);
            final Queue queue = session.createQueue("queue");
            final MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 3; i++) {
                producer.send(session.createTextMessage(String.valueOf(i)));
            }
            final MessageConsumer consumer = session.createConsumer(queue);
            consumer.receive(WAIT_MS).acknowledge();
            final Message lost = consumer.receive(WAIT_MS);

            restart();

            assertThat(receiveAfter(consumer, "0")).isEqualTo("1");
            lost.acknowledge();
            assertThat(consumer.receive(WAIT_MS).getBody(String.class)).isEqualTo("2");
        }
    }

    @Test
    void shouldKeepListenersAndTemporaryQueues() throws Exception {
        final Session session = connection.createSession();
        final TemporaryQueue queue = session.createTemporaryQueue();
        final List<Message> heard = new CopyOnWriteArrayList<>();
        session.createConsumer(queue).setMessageListener(heard::add);
        final Session sending = connection.createSession();
        final MessageProducer producer = sending.createProducer(null);
        producer.send(queue, sending.createTextMessage("before"));
        await().until(() -> heard.size() == 1);

        restart();
        producer.send(queue, sending.createTextMessage("after"));

        await().until(() -> heard.size() == 2);
    }

    @Test
    void shouldFailWhenReconnectingIsSwitchedOff() throws Exception {
        final List<Exception> told = new CopyOnWriteArrayList<>();
        try (Connection brittle =
                new AvocetConnectionFactory("avocet://localhost:" + port + "?reconnect=false").createConnection()) {
            brittle.setExceptionListener(told::add);
            brittle.start();
            final Session session = brittle.createSession();
            final Queue queue = session.createQueue("queue");
            final MessageConsumer consumer = session.createConsumer(queue);

            server.stop();

            await().until(() -> told.size() == 1);
            assertThatThrownBy(() -> consumer.receive(WAIT_MS)).isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> session.createProducer(queue)).isInstanceOf(JMSException.class);
        }
    }

    @Test
    void shouldCloseWhileNoServerIsThere() throws Exception {
        final Session session = connection.createSession();
        session.createConsumer(session.createQueue("queue"));

        server.stop();

        await().untilAsserted(() -> connection.close());
    }
}
