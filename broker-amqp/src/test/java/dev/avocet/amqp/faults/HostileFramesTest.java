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
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Garbage, truncated frames, hostile sizes, deep nesting: closed with the right condition, and nothing is held. */
final class HostileFramesTest {
    private QpidJms jms;

    @BeforeEach
    void start() {
        jms = QpidJms.start();
    }

    @AfterEach
    void stop() throws JMSException {
        jms.broker().awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        assertThat(jms.broker().count(Counter.SESSIONS)).isZero();
        jms.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 200_000, 0x7FFF_FFFF, 0xFFFF_FFFF})
    void shouldRefuseFramesOfImpossibleSize(int size) throws IOException {
        try (RawClient client = client().open()) {
            assertThat(client.send(ByteBuffer.allocate(8)
                                    .putInt(size)
                                    .putInt(0x0200_0000)
                                    .array())
                            .untilClosed())
                    .contains("amqp:connection:framing-error");
        }
    }

    @Test
    void shouldRefuseLargeFramesBeforeTheClientIsKnown() throws IOException {
        try (RawClient client = client().header(3)) {
            assertThat(client.send(ByteBuffer.allocate(8)
                                    .putInt(21_000)
                                    .putInt(0x0201_0000)
                                    .array())
                            .untilClosed())
                    .startsWith("AMQP\3\1\0\0");
        }
    }

    @Test
    void shouldRefuseDeepNesting() throws IOException {
        byte[] nested = list(string("x"));
        for (int i = 0; i < 2_000; i++) {
            nested = list(nested);
        }
        try (RawClient client = client().open()) {
            assertThat(client.frame(described(0x11, nested)).untilClosed()).contains("amqp:decode-error");
        }
    }

    @Test
    void shouldRefuseDescriptorsOfDescriptors() throws IOException {
        try (RawClient client = client().open()) {
            assertThat(client.frame(new byte[60_000]).untilClosed()).contains("amqp:decode-error");
        }
    }

    @Test
    void shouldRefuseArraysThatClaimMoreThanTheyHold() throws IOException {
        byte[] array = ByteBuffer.allocate(10)
                .put((byte) 0xF0)
                .putInt(5)
                .putInt(Integer.MAX_VALUE)
                .put((byte) 0x41)
                .array();
        try (RawClient client = client().open()) {
            assertThat(client.frame(described(0x11, list(array))).untilClosed()).contains("amqp:decode-error");
        }
    }

    @Test
    void shouldRefuseValuesLongerThanTheirFrame() throws IOException {
        byte[] text = ByteBuffer.allocate(5).put((byte) 0xB1).putInt(1_000_000).array();
        try (RawClient client = client().open()) {
            assertThat(client.frame(described(0x11, list(text))).untilClosed()).contains("amqp:decode-error");
        }
    }

    @Test
    void shouldRefuseDescribedTypesThatNobodyKnows() throws IOException {
        byte[] foreign = ByteBuffer.allocate(11)
                .put((byte) 0)
                .put((byte) 0x80)
                .putLong(0x1234_5678_9ABCL)
                .put((byte) 0x40)
                .array();
        try (RawClient client = client().open()) {
            assertThat(client.frame(described(0x11, list(foreign))).untilClosed())
                    .contains("amqp:not-implemented");
        }
    }

    @Test
    void shouldRefuseFieldsOfTheWrongType() throws IOException {
        try (RawClient client = client().open()) {
            assertThat(client.frame(described(0x11, list(string("a"), string("b"), string("c"), string("d"))))
                            .untilClosed())
                    .containsPattern("amqp:(decode-error|invalid-field)");
        }
    }

    @Test
    void shouldRefuseTransfersWithoutALink() throws IOException {
        byte[] transfer = described(0x14, list(new byte[] {0x43}, new byte[] {0x43}));
        byte[] begin = described(
                0x11, list(new byte[] {0x40}, new byte[] {0x43}, new byte[] {0x52, 10}, new byte[] {0x52, 10}));
        try (RawClient client = client().open()) {
            assertThat(client.frame(begin).frame(transfer).untilClosed()).contains("amqp:");
        }
    }

    @Test
    void shouldCloseOnWhoUsesAHandleAboveTheMaximum() throws IOException {
        // given
        byte[] nothing = {0x40};
        byte[] begin = described(0x11, list(nothing, new byte[] {0x43}, new byte[] {0x52, 10}, new byte[] {0x52, 10}));
        byte[] handle = {0x70, 0, 0, (byte) 0xFF, 0};
        byte[] sender = {0x42};
        byte[] node = described(0x28, list());
        byte[] attach = described(
                0x12,
                list(
                        string("link"),
                        handle,
                        sender,
                        nothing,
                        nothing,
                        node,
                        described(0x29, list()),
                        nothing,
                        nothing,
                        new byte[] {0x43}));

        // when, then
        try (RawClient client = client().open()) {
            assertThat(client.frame(begin).frame(attach).untilClosed()).contains("amqp:connection:framing-error");
        }
        assertThat(jms.broker().count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
    }

    @Test
    void shouldAnswerAnUnknownMechanismWithAnOutcome() throws IOException {
        byte[] init = described(0x41, list(new byte[] {(byte) 0xA3, 3, 'F', 'O', 'O'}));
        try (RawClient client = client().header(3)) {
            assertThat(client.frame(1, init).untilClosed()).contains("\0S\104"); // outcome
        }
    }

    @Test
    void shouldTellWhatIsSpokenToWhoSpeaksAnotherVersion() throws IOException {
        try (RawClient client = client()) {
            assertThat(client.send(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1}).untilClosed())
                    .isEqualTo("AMQP\3\1\0\0");
        }
    }

    @Test
    void shouldSurviveRandomBytes() throws IOException {
        Random random = new Random(42);
        for (int round = 0; round < 50; round++) {
            byte[] garbage = new byte[random.nextInt(300)];
            random.nextBytes(garbage);
            try (RawClient client = client().open()) {
                client.frame(garbage);
                byte[] end = described(0x18, list()); // close
                client.frame(end).untilClosed();
            } catch (IOException reset) {
                assertThat(reset).isNotNull(); // the broker has closed while this was sending
            }
        }
    }

    @Test
    void shouldLetGoOfAMessageThatNeverEnds() throws IOException {
        byte[] begin = described(
                0x11, list(new byte[] {0x40}, new byte[] {0x43}, new byte[] {0x52, 10}, new byte[] {0x52, 10}));
        try (RawClient client = client().open()) {
            client.frame(begin).send(new byte[] {0, 0, 1, 0, 2, 0, 0, 0, 0, 0x53});
        }
        jms.broker().awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
    }

    private RawClient client() throws IOException {
        return new RawClient(jms.broker().port());
    }
}
