package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A thousand sessions of one process, and how many threads they have. */
@InTurn
class ManySessionsTest extends ServerTest {
    private static final int CONNECTIONS = 10;
    private static final int SESSIONS = 1_000;
    /** Event loops and those that call listeners: 16 each, or what the processors ask for. */
    private static final int THREADS = 2 * Math.max(16, 2 * Runtime.getRuntime().availableProcessors());

    private static Set<String> clientThreads() {
        final Set<String> found = ConcurrentHashMap.newKeySet();
        for (final Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("avocet-jms")) {
                found.add(thread.getName() + " " + thread.getId());
            }
        }
        return found;
    }

    @Test
    void shouldCallTheListenersOfAThousandSessionsOnFewThreads() throws Exception {
        // given
        final Set<String> others = clientThreads();
        final AvocetConnectionFactory factory = factory("clientMessageCache=10");
        final Queue queue = new dev.avocet.jms.client.message.JmsQueue(unique("many"));
        final AtomicInteger received = new AtomicInteger();
        final List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            final Connection connection = factory.createConnection();
            connections.add(connection);
            connection.start();
        }
        for (int i = 0; i < SESSIONS; i++) {
            final Session session = connections.get(i % CONNECTIONS).createSession();
            session.createConsumer(queue).setMessageListener(message -> received.incrementAndGet());
        }

        // when
        final Session sending = connections.get(0).createSession();
        final MessageProducer producer = sending.createProducer(queue);
        producer.setDeliveryMode(jakarta.jms.DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < 2 * SESSIONS; i++) {
            producer.send(sending.createTextMessage("to one of many"));
        }

        // then
        await().atMost(Duration.ofMillis(WAIT_MS)).until(() -> received.get() == 2 * SESSIONS);
        final Set<String> ours = clientThreads();
        ours.removeAll(others);
        assertThat(ours).hasSizeLessThanOrEqualTo(THREADS);
        for (final Connection connection : connections) {
            connection.close();
        }
    }
}
