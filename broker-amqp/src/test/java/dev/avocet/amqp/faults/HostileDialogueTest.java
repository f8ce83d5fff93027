package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.Performatives.BEGIN;
import static dev.avocet.amqp.faults.Performatives.DETACH;
import static dev.avocet.amqp.faults.Performatives.DISPOSITION;
import static dev.avocet.amqp.faults.Performatives.END;
import static dev.avocet.amqp.faults.Performatives.FALSE;
import static dev.avocet.amqp.faults.Performatives.FLOW;
import static dev.avocet.amqp.faults.Performatives.NULL;
import static dev.avocet.amqp.faults.Performatives.OPEN;
import static dev.avocet.amqp.faults.Performatives.TRUE;
import static dev.avocet.amqp.faults.Performatives.ZERO;
import static dev.avocet.amqp.faults.Performatives.attachToReceive;
import static dev.avocet.amqp.faults.Performatives.attachToSend;
import static dev.avocet.amqp.faults.Performatives.binary;
import static dev.avocet.amqp.faults.Performatives.joined;
import static dev.avocet.amqp.faults.Performatives.map;
import static dev.avocet.amqp.faults.Performatives.message;
import static dev.avocet.amqp.faults.Performatives.symbol;
import static dev.avocet.amqp.faults.Performatives.transfer;
import static dev.avocet.amqp.faults.Performatives.uint;
import static dev.avocet.amqp.faults.RawClient.described;
import static dev.avocet.amqp.faults.RawClient.list;
import static dev.avocet.amqp.faults.RawClient.string;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.metrics.Counter;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Well-formed frames at the wrong time, beyond what was agreed, or of absurd numbers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HostileDialogueTest {
    private static final int SESSIONS = 1_000;
    private static final int LINKS = 1_000;
    private static final int LEVELS = 100_000;
    private static final int FRAME_BYTES = 60_000;
    /** What ends without complaint: the answer to the close that is sent last. */
    private static final String CLOSED_WELL = "\0S\30\105$|\0S\30\300.{3}$|\0S\30\300..@$";

    private static final String CLOSED_IN_ERROR = "\0S\30.*\0S\35.*amqp:";
    private static final String REJECTED = "\0S%.*amqp:decode-error";

    private QpidJms jms;

    @BeforeAll
    void start() {
        jms = QpidJms.start();
    }

    @AfterAll
    void stop() throws JMSException {
        jms.broker().awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        assertThat(jms.broker().count(Counter.SESSIONS)).isZero();
        jms.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"wrongTimes", "wrongNumbers", "absurdNumbers", "values", "messages"})
    void shouldAnswer(String row, String expected, byte[][] frames) throws IOException {
        String answer = answerTo(frames);
        assertThat(answer).containsPattern("(?s)" + expected).doesNotContain("amqp:internal-error");
    }

    static Stream<Arguments> wrongTimes() {
        return Stream.of(
                row("begin before open", CLOSED_IN_ERROR, BEGIN),
                row("attach before begin", CLOSED_IN_ERROR, OPEN, attachToSend(0)),
                row("flow before begin", CLOSED_IN_ERROR, OPEN, FLOW),
                row("transfer before begin", CLOSED_IN_ERROR, OPEN, transfer(0, 0, message())),
                row("disposition before begin", CLOSED_IN_ERROR, OPEN, DISPOSITION),
                row("detach before begin", CLOSED_IN_ERROR, OPEN, DETACH),
                row("end before begin", CLOSED_IN_ERROR, OPEN, END),
                row("open twice", CLOSED_IN_ERROR, OPEN, OPEN),
                row("begin twice", CLOSED_IN_ERROR, OPEN, BEGIN, BEGIN),
                row("end twice", CLOSED_IN_ERROR, OPEN, BEGIN, END, END),
                row("begin again", CLOSED_WELL, OPEN, BEGIN, END, BEGIN),
                row("a handle twice", "amqp:", OPEN, BEGIN, attachToSend(0), attachToReceive(0)),
                row("a link twice", "amqp:", OPEN, BEGIN, attachToSend(0), attachToSend(0)),
                row("detach twice", CLOSED_IN_ERROR, OPEN, BEGIN, attachToSend(0), DETACH, DETACH),
                row("attach again", CLOSED_WELL, OPEN, BEGIN, attachToSend(0), DETACH, attachToSend(0)),
                row(
                        "transfer after detach",
                        CLOSED_IN_ERROR,
                        OPEN,
                        BEGIN,
                        attachToSend(0),
                        DETACH,
                        transfer(0, 0, message())),
                row(
                        "transfer after end",
                        CLOSED_IN_ERROR,
                        OPEN,
                        BEGIN,
                        attachToSend(0),
                        END,
                        transfer(0, 0, message())),
                row("transfer to who sends", "\0S\30", OPEN, BEGIN, attachToReceive(0), transfer(0, 0, message())),
                row("nothing after close", CLOSED_WELL, OPEN, described(0x18, list()), BEGIN),
                row("SASL after open", CLOSED_IN_ERROR, OPEN, Performatives.SASL_INIT));
    }

    static Stream<Arguments> wrongNumbers() {
        return Stream.of(
                row("a flow to no link", "amqp:", OPEN, BEGIN, FLOW),
                row("a transfer to no link", CLOSED_IN_ERROR, OPEN, BEGIN, transfer(7, 0, message())),
                row(
                        "a delivery out of turn",
                        CLOSED_IN_ERROR,
                        OPEN,
                        BEGIN,
                        attachToSend(0),
                        transfer(0, 0, message()),
                        transfer(0, 5, message())),
                row("a disposition of nothing", CLOSED_WELL, OPEN, BEGIN, attachToReceive(0), disposition(7, 7)),
                row("a disposition of all", CLOSED_WELL, OPEN, BEGIN, attachToReceive(0), disposition(0, -1)),
                row(
                        "a disposition of half",
                        CLOSED_WELL,
                        OPEN,
                        BEGIN,
                        attachToReceive(0),
                        disposition(0, Integer.MAX_VALUE)),
                row("a disposition backwards", CLOSED_WELL, OPEN, BEGIN, attachToReceive(0), disposition(9, 3)),
                row(
                        "a sender's disposition of all",
                        CLOSED_WELL,
                        OPEN,
                        BEGIN,
                        attachToSend(0),
                        described(0x15, list(FALSE, ZERO, uint(-1), TRUE))));
    }

    static Stream<Arguments> absurdNumbers() {
        return Stream.of(
                row(
                        "a session of the last numbers",
                        "\0S\25",
                        OPEN,
                        begin(-1, -1, -1),
                        attachToSend(0),
                        transfer(0, -1, message()),
                        transfer(0, 0, message())),
                row("a session without windows", CLOSED_WELL, OPEN, begin(0, 0, 0), attachToReceive(0), FLOW),
                row("all the credit there is", CLOSED_WELL, OPEN, BEGIN, attachToReceive(0), flow(0, 0, -1)),
                row(
                        "credit of half a circle ago",
                        CLOSED_WELL,
                        OPEN,
                        BEGIN,
                        attachToReceive(0),
                        flow(0, Integer.MIN_VALUE, 10)),
                row("a window that begins nowhere", CLOSED_WELL, OPEN, BEGIN, attachToReceive(0), flow(-1, 0, 10)),
                row(
                        "a window half a circle on",
                        CLOSED_WELL,
                        OPEN,
                        BEGIN,
                        attachToReceive(0),
                        flow(Integer.MIN_VALUE, 0, 10)),
                row("frames of no byte", "amqp:|^AMQP", described(0x10, list(string("raw"), NULL, ZERO)), BEGIN),
                row("frames of 511 bytes", "amqp:|^AMQP", described(0x10, list(string("raw"), NULL, uint(511))), BEGIN),
                row(
                        "a time-out of a millisecond",
                        "^AMQP",
                        described(0x10, list(string("raw"), NULL, NULL, NULL, uint(1))),
                        BEGIN),
                row("no container", CLOSED_IN_ERROR, described(0x10, list(NULL))),
                row("a long container", "amqp:invalid-field", described(0x10, list(string32("c".repeat(3_000))))));
    }

    static Stream<Arguments> values() {
        return Stream.of(
                row("nested lists", "amqp:decode-error", OPEN, described(0x11, nested(0xD0, 6_000))),
                row("nested maps", "amqp:decode-error", OPEN, described(0x11, list(nested(0xD1, 6_000)))),
                row("nested arrays", "amqp:decode-error", OPEN, described(0x11, list(nested(0xF0, 6_000)))),
                row(
                        "a map with an odd count",
                        "amqp:decode-error",
                        OPEN,
                        described(0x11, list(NULL, ZERO, uint(9), uint(9), uint(9), NULL, NULL, map(symbol("a"))))),
                row(
                        "a map that is short",
                        "amqp:decode-error",
                        OPEN,
                        described(0x11, list(NULL, ZERO, uint(9), uint(9), uint(9), NULL, NULL, new byte[] {
                            (byte) 0xC1, 1, 2
                        }))),
                row(
                        "an array of too many",
                        "amqp:decode-error",
                        OPEN,
                        described(0x11, list(array(Integer.MAX_VALUE, 0x41)))),
                row("an array of negative many", "amqp:decode-error", OPEN, described(0x11, list(array(-1, 0x41)))),
                row(
                        "an array of nothing, often",
                        "amqp:decode-error",
                        OPEN,
                        described(0x11, list(array(70_000, 0x45)))),
                row(
                        "a long symbol",
                        CLOSED_WELL,
                        OPEN,
                        described(0x11, list(NULL, ZERO, uint(9), uint(9), uint(9), symbol32(100_000)))),
                row(
                        "a symbol above the frame",
                        "amqp:connection:framing-error",
                        OPEN,
                        described(0x11, list(symbol32(1_000_000)))),
                row("a symbol of a negative length", "amqp:decode-error", OPEN, described(0x11, list(new byte[] {
                    (byte) 0xB3, -1, -1, -1, -1
                }))),
                row("a type that there is not", "amqp:decode-error", OPEN, described(0x11, list(new byte[] {0x57, 0
                }))));
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                row("no section", REJECTED, sent(string("no section"))),
                row("an unknown section", REJECTED, sent(described(0x7F, string("x")))),
                row("sections in disorder", REJECTED, sent(joined(described(0x77, NULL), described(0x70, list())))),
                row("a section twice", REJECTED, sent(joined(described(0x70, list()), described(0x70, list())))),
                row("properties that are a map", REJECTED, sent(described(0x73, map()))),
                row("properties with an odd count", REJECTED, sent(described(0x74, map(string("a"))))),
                row("a type that there is not", REJECTED, sent(described(0x77, new byte[] {0x57, 0}))),
                row("a body that ends early", REJECTED, sent(described(0x77, new byte[] {(byte) 0xB1, 0, 0, 1, 0, 'x'
                }))),
                row("nested lists", REJECTED, sent(described(0x77, nested(0xD0, LEVELS)))),
                row("nested maps", REJECTED, sent(described(0x74, nested(0xD1, LEVELS)))),
                row("nested descriptions", REJECTED, sent(described(0x77, new byte[LEVELS]))),
                row("an array of too many", REJECTED, sent(described(0x77, array(Integer.MAX_VALUE, 0x41)))),
                row(
                        "another format",
                        "\0S%.*amqp:not-implemented",
                        OPEN,
                        BEGIN,
                        attachToSend(0),
                        joined(described(0x14, list(ZERO, ZERO, binary("t"), uint(7), FALSE, FALSE)), message())),
                row(
                        "a message that is given up",
                        CLOSED_WELL,
                        OPEN,
                        BEGIN,
                        attachToSend(0),
                        part(true),
                        described(0x14, list(ZERO, NULL, NULL, NULL, NULL, FALSE, NULL, NULL, NULL, TRUE))),
                row(
                        "two messages at once",
                        "amqp:",
                        OPEN,
                        BEGIN,
                        attachToSend(0),
                        part(true),
                        transfer(0, 5, message())));
    }

    @Test
    void shouldBoundSessions() throws IOException {
        try (RawClient client = new RawClient(jms.broker().port()).open()) {
            for (int channel = 0; channel <= SESSIONS; channel++) {
                client.frame(0, channel, BEGIN);
            }
            assertThat(client.untilClosed()).containsPattern("(?s)" + CLOSED_IN_ERROR);
        }
    }

    @Test
    void shouldBoundLinks() throws IOException {
        try (RawClient client = new RawClient(jms.broker().port()).open().frame(BEGIN)) {
            for (int handle = 0; handle <= LINKS; handle++) {
                client.frame(attachToSend(handle));
            }
            assertThat(client.untilClosed()).contains("amqp:connection:framing-error");
        }
    }

    /** Credit is what bounds messages that wait; the coordinator has little of it. */
    @Test
    void shouldBoundTransfersByCredit() throws IOException {
        byte[] half = described(0x14, list(ZERO, ZERO, binary("t"), ZERO, FALSE, TRUE));
        try (RawClient client = new RawClient(jms.broker().port())
                .open()
                .frame(BEGIN)
                .frame(attachToReceive(0))
                .frame(Performatives.attachToCoordinator())) {
            client.frame(joined(half, new byte[2_000])).frame(Performatives.CLOSE);
            assertThat(client.untilClosed()).contains("amqp:").doesNotContain("amqp:internal-error");
        }
    }

    private String answerTo(byte[]... frames) throws IOException {
        try (RawClient client = new RawClient(jms.broker().port()).header(0)) {
            for (byte[] each : frames) {
                boolean sasl = each.length > 2 && each[2] == 0x41;
                client.frame(sasl ? 1 : 0, each);
            }
            return client.frame(Performatives.CLOSE).untilClosed();
        }
    }

    /** One message, in as many frames as it needs. */
    private static byte[][] sent(byte[] message) {
        int frames = (message.length + FRAME_BYTES - 1) / FRAME_BYTES;
        byte[][] all = new byte[3 + frames][];
        all[0] = OPEN;
        all[1] = BEGIN;
        all[2] = attachToSend(0);
        for (int i = 0; i < frames; i++) {
            int from = i * FRAME_BYTES;
            byte[] content = Arrays.copyOfRange(message, from, Math.min(message.length, from + FRAME_BYTES));
            all[3 + i] = joined(
                    described(0x14, list(ZERO, ZERO, binary("t"), ZERO, FALSE, i + 1 < frames ? TRUE : FALSE)),
                    content);
        }
        return all;
    }

    private static byte[] part(boolean more) {
        return joined(described(0x14, list(ZERO, ZERO, binary("t"), ZERO, FALSE, more ? TRUE : FALSE)), message());
    }

    private static byte[] begin(int nextOutgoing, int incoming, int outgoing) {
        return described(0x11, list(NULL, uint(nextOutgoing), uint(incoming), uint(outgoing), uint(1_000)));
    }

    private static byte[] flow(int nextIncoming, int deliveryCount, int credit) {
        return described(
                0x13,
                list(uint(nextIncoming), uint(1_000), ZERO, uint(1_000), ZERO, uint(deliveryCount), uint(credit)));
    }

    private static byte[] disposition(int first, int last) {
        return described(0x15, list(TRUE, uint(first), uint(last), TRUE, described(0x24, list())));
    }

    private static byte[] array(int count, int code) {
        return ByteBuffer.allocate(10)
                .put((byte) 0xF0)
                .putInt(5)
                .putInt(count)
                .put((byte) code)
                .array();
    }

    /** Lists, maps or arrays in each other, each with the next as its only content. */
    private static byte[] nested(int code, int levels) {
        boolean map = code == 0xD1;
        boolean array = code == 0xF0;
        int perLevel = array ? 9 : map ? 10 : 9;
        ByteBuffer bytes = ByteBuffer.allocate(levels * perLevel + 1);
        for (int level = 0; level < levels; level++) {
            if (!array || level == 0) {
                bytes.put((byte) code);
            }
            int sizeAt = bytes.position();
            bytes.putInt(bytes.capacity() - sizeAt - 4).putInt(map ? 2 : 1);
            if (map) {
                bytes.put((byte) 0x40);
            } else if (array) {
                bytes.put((byte) (level + 1 < levels ? code : 0x40));
            }
        }
        if (!array) {
            bytes.put((byte) 0x40);
        }
        return bytes.array();
    }

    private static byte[] string32(String text) {
        return ByteBuffer.allocate(5 + text.length())
                .put((byte) 0xB1)
                .putInt(text.length())
                .put(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                .array();
    }

    private static byte[] symbol32(int length) {
        return ByteBuffer.allocate(5 + length).put((byte) 0xB3).putInt(length).array();
    }

    private static Arguments row(String name, String expected, byte[]... frames) {
        return Arguments.of(name, expected, frames);
    }
}
