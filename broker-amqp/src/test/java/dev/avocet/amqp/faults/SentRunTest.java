package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.Performatives.FALSE;
import static dev.avocet.amqp.faults.Performatives.TRUE;
import static dev.avocet.amqp.faults.Performatives.joined;
import static dev.avocet.amqp.faults.RawClient.described;
import static dev.avocet.amqp.faults.RawClient.list;
import static dev.avocet.amqp.faults.RawClient.string;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.queue.room.QueueLimits;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many messages in one write: those to a queue enter it together, and the client sees nothing of that. */
final class SentRunTest {
    private static final String QUEUE = "hostile";
    private static final byte FLOW = 0x13;
    private static final byte DISPOSITION = 0x15;
    /** So long an answer that is not urgent waits for another frame to the client. */
    private static final long HELD_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int PROTOCOL_HEADER_BYTES = 8;

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private QpidJms jms;
    private MessageConsumer consumer;
    private int messages;

    @BeforeEach
    void start() throws JMSException {
        jms = QpidJms.start();
        Session session = jms.connect().createSession();
        consumer = session.createConsumer(session.createQueue(QUEUE));
    }

    @AfterEach
    void stop() throws JMSException {
        jms.close();
    }

    @Test
    void shouldKeepTheOrderOfMessagesOfAllKindsAndLinks() throws IOException, JMSException {
        try (RawClient client = client()) {
            // given
            for (int round = 0; round < 40; round++) {
                plain(0);
                plain(0);
                plain(round % 2);
                message(1, described(0x70, list(TRUE)));
                plain(1);
                message(0, described(0x70, list(FALSE, new byte[] {0x50, 4}, Performatives.uint(60_000))));
                frame(described(
                        0x13,
                        list(
                                Performatives.NULL,
                                Performatives.uint(1_000),
                                Performatives.ZERO,
                                Performatives.uint(1_000))));
            }
            frame(Performatives.CLOSE);

            // when
            client.send(sent.toByteArray());

            // then
            for (int i = 0; i < messages; i++) {
                assertThat(consumer.receive(30_000).getBody(String.class)).isEqualTo("message " + i);
            }
            assertThat(client.untilClosed()).doesNotContain("amqp:");
        }
    }

    @Test
    void shouldRefuseOnlyThoseThatAFullQueueHasNoRoomFor() throws IOException, JMSException {
        // given
        consumer.close();
        Objects.requireNonNull(jms.broker().broker().queues().find(QUEUE))
                .queue()
                .limits(new QueueLimits(5, 0, FullBehavior.REJECT_NEW_MESSAGES));
        try (RawClient client = client()) {
            for (int i = 0; i < 8; i++) {
                plain(0);
            }
            frame(Performatives.CLOSE);

            // when
            client.send(sent.toByteArray());

            // then
            String answer = client.untilClosed();
            assertThat(answer.split("amqp:resource-limit-exceeded", -1)).hasSize(1 + 3);
        }
        Session session = jms.connect().createSession();
        MessageConsumer late = session.createConsumer(session.createQueue(QUEUE));
        for (int i = 0; i < 5; i++) {
            assertThat(late.receive(30_000).getBody(String.class)).isEqualTo("message " + i);
        }
        assertThat(late.receiveNoWait()).isNull();
    }

    @Test
    void shouldAnswerInAWhileWhatIsNotUrgent() throws IOException, JMSException {
        try (RawClient client = new RawClient(jms.broker().port())
                .header(0)
                .frame(Performatives.OPEN)
                .frame(Performatives.BEGIN)
                .frame(Performatives.attachToSendUnhurried(0))) {
            client.next(PROTOCOL_HEADER_BYTES);
            awaitFrame(client, FLOW);

            // when
            long sentNs = System.nanoTime();
            client.frame(Performatives.unhurriedTransfer(0, 0, described(0x77, string("message 0"))));

            // then
            assertThat(consumer.receive(30_000).getBody(String.class)).isEqualTo("message 0");
            awaitFrame(client, DISPOSITION);
            assertThat(System.nanoTime() - sentNs).isGreaterThanOrEqualTo(HELD_NS);
        }
    }

    private static void awaitFrame(RawClient client, byte performative) throws IOException {
        byte[] frame = client.nextFrame();
        while (frame[4] != performative) {
            frame = client.nextFrame();
        }
    }

    /** Two links to the queue. */
    private RawClient client() throws IOException {
        return new RawClient(jms.broker().port())
                .header(0)
                .frame(Performatives.OPEN)
                .frame(Performatives.BEGIN)
                .frame(Performatives.attachToSend(0))
                .frame(Performatives.attachToSend(1));
    }

    private void plain(int handle) {
        message(handle, new byte[0]);
    }

    private void message(int handle, byte[] head) {
        byte[] body = described(0x77, string("message " + messages));
        frame(Performatives.transfer(handle, messages++, joined(head, body)));
    }

    private void frame(byte[] body) {
        sent.writeBytes(ByteBuffer.allocate(8 + body.length)
                .putInt(8 + body.length)
                .putInt(0x0200_0000)
                .put(body)
                .array());
    }
}
