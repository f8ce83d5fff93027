package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Far more messages wait in one queue by name than the heap has room to know of; the broker is killed, and started
 * again with less.
 */
@InTurn
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class NamedBacklogTest {
    private static final int MESSAGES = Integer.getInteger("avocet.backlog.messages", 600_000);
    private static final String HEAP = System.getProperty("avocet.backlog.heap", "48m");
    private static final String SMALLER_HEAP = System.getProperty("avocet.backlog.smallerHeap", "40m");
    private static final int UNANSWERED_MAX = 4_000;
    private static final long PATIENCE_MS = 60_000;
    private static final String CONFIGURATION = """
            {"ioThreads": 1, "store": {"checkpointIntervalSeconds": 5}}
            """;

    @TempDir
    private Path directory;

    @Test
    void shouldServeABacklogThatTheHeapHasNoRoomToKnowOf() throws Exception {
        // given
        Path configuration = Files.writeString(directory.resolve("broker.json"), CONFIGURATION);
        int acknowledged;
        try (Administered broker = start(HEAP, configuration)) {
            broker.adminDoneHere("queue", "create", "orders", "--max-messages", "20000000");
            acknowledged = fill(broker.process().port());
        } // which kills it

        // when
        int served;
        try (Administered broker = start(SMALLER_HEAP, configuration)) {
            served = drain(broker.process().port(), acknowledged);

            // then
            broker.process().terminate();
            assertThat(broker.process().output())
                    .contains("References to waiting messages take")
                    .doesNotContain("OutOfMemory");
        }
        assertThat(acknowledged).isEqualTo(MESSAGES);
        assertThat(served).isEqualTo(acknowledged);
    }

    private Administered start(String heap, Path configuration) throws Exception {
        return Administered.start(
                directory.resolve("data"), Map.of("BROKER_HEAP", heap), "--config", configuration.toString());
    }

    private static int fill(int port) throws JMSException, InterruptedException {
        AtomicInteger acknowledged = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Semaphore window = new Semaphore(UNANSWERED_MAX);
        byte[] body = new byte[64];
        try (JMSContext context = new AvocetConnectionFactory("avocet://127.0.0.1:" + port).createContext()) {
            Queue orders = context.createQueue("orders");
            JMSProducer producer = context.createProducer().setAsync(new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    acknowledged.incrementAndGet();
                    window.release();
                }

                @Override
                public void onException(Message message, Exception cause) {
                    refused.incrementAndGet();
                    window.release();
                }
            });
            for (int i = 0; i < MESSAGES && refused.get() == 0; i++) {
                window.acquire();
                producer.setPriority(i % 10).send(orders, body);
            }
            assertThat(window.tryAcquire(UNANSWERED_MAX, PATIENCE_MS, TimeUnit.MILLISECONDS))
                    .as("everything is answered")
                    .isTrue();
        }
        return acknowledged.get();
    }

    private static int drain(int port, int most) throws JMSException {
        int served = 0;
        AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet://127.0.0.1:" + port);
        try (JMSContext context = factory.createContext(JMSContext.DUPS_OK_ACKNOWLEDGE)) {
            JMSConsumer consumer = context.createConsumer(context.createQueue("orders"));
            while (served < most && consumer.receive(PATIENCE_MS) != null) {
                served++;
            }
        }
        return served;
    }
}
