package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a message costs the heap of a consumer that takes them settled: counted by the JVM, on the threads of the
 * consumer.
 */
class ReceiveAllocationTest extends ServerTest {
    private static final int BODY_BYTES = 256;
    private static final int MESSAGES = 10_000;
    private static final int LIMIT_BYTES = 300;
    /** The compilers need some, and a machine with other work makes the reads small. */
    private static final int ROUNDS = 10;

    private final ResourceLeakDetector.Level detection = ResourceLeakDetector.getLevel();

    /** The detection of lost buffers keeps its records on the same heap. */
    @BeforeEach
    void detectNoLostBuffers() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void detectLostBuffersAgain() {
        ResourceLeakDetector.setLevel(detection);
    }

    @Test
    void shouldTakeLessThan300BytesOfHeapForEachMessageBesideItsBody() throws Exception {
        final Connection consuming = connect("disableACK=true&clientMessageCache=100000");
        consuming.start();
        final Session session = consuming.createSession();
        final Queue queue = session.createQueue("allocation");
        final MessageConsumer consumer = session.createConsumer(queue);
        final ClientHeap heap = new ClientHeap();
        final Session sending = connect("disableACK=true").createSession();
        final MessageProducer producer = sending.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        producer.setDisableMessageID(true);
        producer.setDisableMessageTimestamp(true);
        long leastPerMessage = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && leastPerMessage > BODY_BYTES + LIMIT_BYTES; round++) {
            sendAndReceive(sending, producer, consumer);
            final long before = heap.allocatedBytes();
            sendAndReceive(sending, producer, consumer);
            leastPerMessage = Math.min(leastPerMessage, (heap.allocatedBytes() - before) / MESSAGES);
        }

        assertThat(leastPerMessage - BODY_BYTES).isBetween(1L, (long) LIMIT_BYTES);
    }

    private static void sendAndReceive(
            final Session session, final MessageProducer producer, final MessageConsumer consumer) throws Exception {
        final byte[] body = new byte[BODY_BYTES];
        final Thread sender = new Thread(() -> send(session, producer), "sends");
        sender.start();
        for (int i = 0; i < MESSAGES; i++) {
            final BytesMessage message = (BytesMessage) consumer.receive(WAIT_MS);
            if (message.readBytes(body) != BODY_BYTES) { // no assertion, which would need heap itself
                throw new AssertionError("a message is not whole");
            }
        }
        sender.join();
    }

    private static void send(final Session session, final MessageProducer producer) {
        try {
            for (int i = 0; i < MESSAGES; i++) {
                final BytesMessage message = session.createBytesMessage();
                message.writeBytes(new byte[BODY_BYTES]);
                producer.send(message);
            }
        } catch (final jakarta.jms.JMSException e) {
            throw new AssertionError(e);
        }
    }
}
