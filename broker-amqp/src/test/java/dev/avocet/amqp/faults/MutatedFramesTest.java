package dev.avocet.amqp.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.metrics.Counter;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.net.SocketException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each performative cut off at each byte, with each byte made another type, and changed at random, at the stage where
 * it belongs: the client is told, or its close is answered; the broker never takes it for a fault of its own, and holds
 * nothing.
 */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MutatedFramesTest {
    private static final String CLOSE = "\0S\30";
    /** Bytes from one that is changed to the next. */
    private static final int STRIDE = 3;

    private static final int[] TYPE_CODES = {
        0x00, 0x3F, 0x40, 0x41, 0x43, 0x44, 0x45, 0x46, 0x50, 0x52, 0x53, 0x56, 0x60, 0x70, 0x73, 0x80, 0x83, 0x98,
        0xA0, 0xA1, 0xA3, 0xB0, 0xB1, 0xB3, 0xC0, 0xC1, 0xD0, 0xD1, 0xE0, 0xF0, 0xFF
    };

    private QpidJms jms;

    @BeforeAll
    void start() {
        jms = QpidJms.start();
    }

    @AfterAll
    void stop() throws JMSException {
        jms.broker().awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        assertThat(jms.broker().count(Counter.SESSIONS)).isZero();
        assertThat(jms.broker().broker().transactions().recover()).isEmpty();
        jms.close();
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeWellBehavedWithoutMutation(Stage stage) throws IOException {
        assertThat(stage.answerTo(jms.broker().port(), stage.next())).doesNotContain("amqp:decode-error");
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerWhatIsCutOffAnywhere(Stage stage) throws IOException {
        byte[] whole = stage.next();
        for (int length = 0; length < whole.length; length++) {
            check(stage, Arrays.copyOf(whole, length));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerWhatIsOfAnotherType(Stage stage) throws IOException {
        byte[] whole = stage.next();
        for (int at = stage.ordinal() % STRIDE; at < whole.length; at += STRIDE) {
            check(stage, changed(whole, at, TYPE_CODES[(at * 7 + stage.ordinal()) % TYPE_CODES.length]));
        }
    }

    @Tag("fault")
    @ParameterizedTest
    @EnumSource
    void shouldAnswerWhatIsOfEachOtherType(Stage stage) throws IOException {
        byte[] whole = stage.next();
        for (int at = 0; at < whole.length; at++) {
            for (int code : TYPE_CODES) {
                check(stage, changed(whole, at, code));
            }
        }
    }

    @Test
    void shouldAnswerWhatIsChangedAtRandom() throws IOException {
        fuzz(1, 200);
    }

    @Test
    @Tag("fault")
    void shouldAnswerMuchThatIsChangedAtRandom() throws IOException {
        fuzz(2, 50_000);
    }

    private void fuzz(long seed, int rounds) throws IOException {
        Random random = new Random(seed);
        Stage[] stages = Stage.values();
        for (int i = 0; i < rounds; i++) {
            Stage stage = stages[random.nextInt(stages.length)];
            byte[] bytes = stage.next();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            check(stage, bytes);
        }
    }

    private static byte[] changed(byte[] whole, int at, int code) {
        byte[] changed = whole.clone();
        changed[at] = (byte) code;
        return changed;
    }

    private void check(Stage stage, byte[] hostile) throws IOException {
        String what = stage + " " + HexFormat.of().formatHex(hostile);
        try {
            String answer = stage.answerTo(jms.broker().port(), hostile);
            assertThat(answer).as(what).doesNotContain("amqp:internal-error");
            if (stage.ordinal() > Stage.SASL_RESPONSE.ordinal()) {
                assertThat(answer).as(what).contains(CLOSE);
            }
        } catch (SocketException reset) {
            assertThat(reset).as(what).isNotNull(); // it has closed while this was sending
        }
    }
}
