package dev.avocet.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a message costs the heap of a producer: counted by the JVM, on the producer's thread and its event loop. */
class SendAllocationTest extends ServerTest {
    /** The compilers need some. */
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

    /** The body is there twice: in the message, and encoded. */
    @ParameterizedTest
    @CsvSource({"256, 2000, false, 1500", "256, 200, true, 1900", "200000, 20, false, 6000"})
    void shouldTakeLittleOfTheHeapForEachMessageBesideItsBody(
            final int bodyBytes, final int messages, final boolean persistent, final long limitBytes) throws Exception {
        final Session session = connect().createSession();
        final Queue queue = session.createQueue(unique("allocation"));
        final MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        final byte[] body = new byte[bodyBytes];
        final ClientHeap heap = new ClientHeap();
        final MessageConsumer consumer = connect().createSession().createConsumer(queue);
        long leastPerMessage = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && leastPerMessage > 2L * bodyBytes + limitBytes; round++) {
            final long before = heap.allocatedBytes();
            send(messages, session, producer, body);
            leastPerMessage = Math.min(leastPerMessage, (heap.allocatedBytes() - before) / messages);
            take(messages, consumer);
        }

        assertThat(leastPerMessage - 2L * bodyBytes).isBetween(1L, limitBytes);
    }

    private static void send(
            final int messages, final Session session, final MessageProducer producer, final byte[] body)
            throws JMSException {
        for (int i = 0; i < messages; i++) {
            final BytesMessage message = session.createBytesMessage();
            message.writeBytes(body);
            producer.send(message);
        }
    }

    private static void take(final int messages, final MessageConsumer consumer) throws JMSException {
        for (int i = 0; i < messages; i++) {
            assertThat(consumer.receive(WAIT_MS)).isNotNull();
        }
    }
}
