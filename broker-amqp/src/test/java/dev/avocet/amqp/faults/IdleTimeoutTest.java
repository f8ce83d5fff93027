package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.RawClient.described;
import static dev.avocet.amqp.faults.RawClient.list;
import static dev.avocet.amqp.faults.RawClient.string;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.metrics.Counter;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Idle time-outs, both ways [AMQP 1.0 part 2, 2.4.5]. The broker asks for a minute, and waits for two. */
final class IdleTimeoutTest {
    private static final byte[] NULL = {0x40};
    private static final byte[] EMPTY_FRAME = {0, 0, 0, 8, 2, 0, 0, 0};

    private QpidJms jms;

    @BeforeEach
    void start() {
        jms = QpidJms.start();
    }

    @AfterEach
    void stop() throws JMSException {
        jms.broker().awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        jms.close();
    }

    @Test
    void shouldCloseWhoIsSilentForTwiceTheTimeOut() throws IOException {
        try (RawClient client = client().open()) {
            jms.broker().awaitCount(Counter.SESSIONS, 1);

            pass(90);
            assertThat(jms.broker().count(Counter.KEEP_ALIVE_TIMEOUTS)).isZero();

            pass(60);
            assertThat(client.untilClosed()).contains("amqp:resource-limit-exceeded");
            assertThat(jms.broker().count(Counter.KEEP_ALIVE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void shouldKeepWhoBeats() throws IOException {
        try (RawClient client = client().open()) {
            jms.broker().awaitCount(Counter.SESSIONS, 1);
            for (int beat = 0; beat < 5; beat++) {
                pass(60);
                long before = jms.broker().count(Counter.BYTES_RECEIVED);
                client.send(EMPTY_FRAME);
                jms.broker().awaitCount(Counter.BYTES_RECEIVED, before + EMPTY_FRAME.length);
            }
            assertThat(jms.broker().count(Counter.KEEP_ALIVE_TIMEOUTS)).isZero();

            pass(150);
            assertThat(client.untilClosed()).contains("amqp:resource-limit-exceeded");
        }
    }

    @Test
    void shouldBeatAsOftenAsTheClientAsks() throws IOException {
        try (RawClient client = client().header(0).frame(open(20_000))) {
            jms.broker().awaitCount(Counter.SESSIONS, 1);
            jms.broker().settle();
            long before = jms.broker().count(Counter.BYTES_SENT);

            pass(20);
            assertThat(jms.broker().count(Counter.BYTES_SENT) - before)
                    .as("one beat or more in each half of the time-out")
                    .isGreaterThanOrEqualTo(2L * EMPTY_FRAME.length);

            client.frame(described(0x18, list())); // close
            assertThat(client.untilClosed()).contains("\0\0\0\10\2\0\0\0");
        }
    }

    @Test
    void shouldNotBeatForWhoDoesNotAsk() throws IOException {
        try (RawClient client = client().open()) {
            jms.broker().awaitCount(Counter.SESSIONS, 1);
            jms.broker().settle();
            long before = jms.broker().count(Counter.BYTES_SENT);

            pass(90);

            assertThat(jms.broker().count(Counter.BYTES_SENT)).isEqualTo(before);
            client.frame(described(0x18, list()));
            assertThat(client.untilClosed()).doesNotContain("\0\0\0\10\2\0\0\0");
        }
    }

    /** In steps that every timer notices. */
    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            jms.broker().advance(Duration.ofSeconds(1));
        }
    }

    /** Open with an idle time-out of the client's. */
    private static byte[] open(int idleTimeoutMs) {
        byte[] idle =
                ByteBuffer.allocate(5).put((byte) 0x70).putInt(idleTimeoutMs).array();
        return described(0x10, list(string("raw"), NULL, NULL, NULL, idle));
    }

    private RawClient client() throws IOException {
        return new RawClient(jms.broker().port());
    }
}
