package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.Performatives.NULL;
import static dev.avocet.amqp.faults.Performatives.TRUE;
import static dev.avocet.amqp.faults.Performatives.binary;
import static dev.avocet.amqp.faults.Performatives.request;
import static dev.avocet.amqp.faults.Performatives.uint;
import static dev.avocet.amqp.faults.RawClient.list;
import static dev.avocet.amqp.faults.RawClient.string;
import static dev.avocet.amqp.faults.XaRequest.BRANCH;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.clients.QpidJms;
import dev.avocet.core.metrics.Counter;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests for global transactions with each field wrong: rejected, and the connection goes on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class XaRequestsTest {
    private static final String INVALID_FIELD = "amqp:invalid-field";

    private QpidJms jms;

    @BeforeAll
    void start() {
        jms = QpidJms.start();
    }

    @AfterAll
    void stop() throws JMSException {
        jms.broker().awaitCount(Counter.CONNECTIONS_ACTIVE, 0);
        assertThat(jms.broker().broker().transactions().recover()).isEmpty();
        jms.close();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("wrongBranches")
    void shouldRejectWhatIsNoBranch(XaRequest request, String what, byte[] branch) throws IOException {
        assertThat(answerTo(request.with(branch))).contains(INVALID_FIELD).doesNotContain("amqp:internal-error");
    }

    static Stream<Arguments> wrongBranches() {
        List<Arguments> all = new ArrayList<>();
        for (XaRequest request : XaRequest.values()) {
            add(all, request, "a string", string("branch"));
            add(all, request, "a number", uint(1));
            add(all, request, "a list", list());
            if (request == XaRequest.RECOVER) {
                continue; // any bytes may be where to go on
            }
            add(all, request, "nothing in it", binary(""));
            add(all, request, "half a format", binary("\0\0"));
            add(all, request, "a negative format", binary("\377\0\0\1\1g\1b"));
            add(all, request, "no global identifier", binary("\0\0\0\1\0\1b"));
            add(all, request, "too long a global identifier", binary("\0\0\0\1\101" + "g".repeat(65) + "\1b"));
            add(all, request, "too long a qualifier", binary("\0\0\0\1\1g\101" + "b".repeat(65)));
            add(all, request, "a qualifier that ends early", binary("\0\0\0\1\1g\5b"));
            add(all, request, "a length above all", binary("\0\0\0\1\377g"));
            add(all, request, "more behind it", binary("\0\0\0\1\1g\1bx"));
            add(all, request, "null", NULL);
        }
        return all.stream();
    }

    private static void add(List<Arguments> all, XaRequest request, String what, byte[] branch) {
        all.add(Arguments.of(request, what, branch));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRejectRequestsWithoutFields(XaRequest request) throws IOException {
        if (request != XaRequest.RECOVER) {
            assertThat(answerTo(request.with())).contains(INVALID_FIELD);
        }
        assertThat(answerTo(request.of(string("no list")))).contains("amqp:").doesNotContain("amqp:internal-error");
        assertThat(answerTo(request.of(NULL))).contains("amqp:").doesNotContain("amqp:internal-error");
    }

    @ParameterizedTest
    @EnumSource(names = {"PREPARE", "FORGET"}) // the others answer later
    void shouldNotKnowWhatNobodyBegan(XaRequest request) throws IOException {
        assertThat(answerTo(request.with(BRANCH))).contains("amqp:transaction:unknown-id");
    }

    @Test
    void shouldRejectTimeOutsThatAreNone() throws IOException {
        for (byte[] timeOut : List.of(string("soon"), TRUE, new byte[] {0x54, -1}, uint(-1), list())) {
            assertThat(answerTo(XaRequest.START.with(BRANCH, timeOut))).contains(INVALID_FIELD);
        }
    }

    @Test
    void shouldRejectOnePhaseThatIsNoBoolean() throws IOException {
        assertThat(answerTo(XaRequest.COMMIT.with(BRANCH, string("yes")))).contains("amqp:invalid-field");
    }

    /** The answer, and that to the close behind it. */
    private String answerTo(byte[] request) throws IOException {
        String answer = Stage.XA_START.answerTo(jms.broker().port(), request(request));
        assertThat(answer).endsWith("\0S\30\105").contains("amqp:");
        return answer;
    }
}
