package dev.avocet.bench.jms.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.connection.AmqpConnections;
import dev.avocet.amqp.frontend.AmqpFrontEnd;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.jms.client.JmsLibrary;
import dev.avocet.bench.jms.command.JmsBench;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our own client and our own broker. */
@InTurn
final class AvocetTest {
    private TestBroker broker;
    private final StringWriter out = new StringWriter();

    @BeforeEach
    void start() {
        broker = broker();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private static TestBroker broker() {
        return TestBroker.with(core -> new AmqpFrontEnd(new AmqpConnections(
                        core,
                        AmqpOptions.DEFAULT,
                        new AnonymousAdmission(new AnonymousAuthenticator()),
                        new ContainerIds())))
                .start();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--producers=2 --consumers=4 --destinations=2",
                "--producers=2 --consumers=2 --destinations=2 --receive=blocking --acknowledge=client",
                "--destinations=3 --receive=timed --acknowledge=dups-ok",
                "--destinations=3 --receive=no-wait --consumer-commit=7",
                "--persistent --producer-commit=10 --consumer-commit=10 --time-calls",
                "--persistent --async-sends=20 --acknowledge=client --acknowledge-every=7",
                "--persistent --acknowledge=101 --acknowledge-every=1 --anonymous",
                "--disable-ack --client-message-cache=100 --work-us=10",
                "--kind=topic --producers=2 --consumers=3 --name=a/b",
                "--kind=topic --consumers=2 --durable",
                "--kind=shared --producers=2 --consumers=3 --durable --consumer-commit=9",
                "--kind=topic --producers=4 --destinations=2 --consumers=2 --partitions=2 --name=/p/t --consumer-name=/p/#",
                "--requesters=3 --responders=2 --queue-pairs=2",
                "--requesters=2 --reply-to=temporary-queue --request-commit --persistent"
            })
    void shouldPassEachWayToSendAndReceive(String options) {
        int exitCode = run(options + " --messages=200 --rate=max --size=32-5000");

        assertThat(out.toString())
                .contains("PASSED  options")
                .contains(" 0 lost, 0 doubled, 0 out of order, 0 corrupt");
        assertThat(exitCode).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--producers=4 --consumers=4 --destinations=2", "--requesters=4 --responders=2 --queue-pairs=2"})
    void shouldShowTheLeastAndTheMostOfEachDestination(String clients) {
        int exitCode = run(clients + " --per-destination --messages=50 --rate=max");

        assertThat(exitCode).isZero();
        assertThat(out.toString())
                .containsPattern(
                        "\\njmsbench\\.(request\\.)?00000000 messages 100, leastUs [1-9]\\d*, mostUs [1-9]\\d*")
                .containsPattern(
                        "\\njmsbench\\.(request\\.)?00000001 messages 100, leastUs [1-9]\\d*, mostUs [1-9]\\d*");
    }

    @Test
    void shouldBeginOneAfterTheOtherAndMeasureAfterSomeMessages() {
        int exitCode =
                run("--producers=3 --start-delay=0.1 --warm-up=0.3 --warm-up-messages=100 --rate=500 --duration=0.5");

        assertThat(out.toString()).contains("PASSED  options");
        assertThat(exitCode).isZero();
    }

    @Test
    void shouldSendLargeMessagesToTwoBrokersAtOnce() {
        try (TestBroker other = broker()) {
            int exitCode = run("--target=127.0.0.1:" + other.port() + " --messages=20 --rate=500 --size=200K");

            assertThat(out.toString()).contains("PASSED  options", "40 sent, 40 expected, 40 received", "4 connected");
            assertThat(exitCode).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"STANDBY/ACTIVE", "ACTIVE/STANDBY", "avocet:(STANDBY,ACTIVE)"})
    void shouldTakeTheNodesOfAPairAsOneBroker(String pair) {
        // given: the port of the standby is closed
        TestBroker gone = broker();
        String standby = "127.0.0.1:" + gone.port();
        gone.close();

        // when
        int exitCode = runAt(
                pair.replace("STANDBY", standby).replace("ACTIVE", target()), "--messages=50 --rate=max --persistent");

        // then
        assertThat(out.toString()).contains("PASSED  options", "50 sent, 50 expected, 50 received");
        assertThat(exitCode).isZero();
    }

    @Test
    void shouldSecureBothNodesOfAPair() {
        assertThat(JmsLibrary.url("avocets:", "a:1/b:2")).isEqualTo("avocets:(a:1,b:2)");
        assertThat(JmsLibrary.url("avocets:", "a:1")).isEqualTo("avocets://a:1");
    }

    /** What an earlier run left in the queue is neither a message of this one nor a reason to fail. */
    @Test
    void shouldPassOverWhatAnEarlierRunLeft() {
        // given whole messages that were meant to be sent long ago
        byte[] old = new byte[100];
        MessageHead.write(
                old,
                0,
                0,
                1,
                1,
                MessageHead.bodyHash(old, MessageHead.SIZE_BYTES, old.length - MessageHead.SIZE_BYTES));
        JmsLibrary library = new JmsLibrary(JmsLibrary.OWN_FACTORY, List.of(), Map.of());
        try (JMSContext context = library.factory(target()).createContext()) {
            Queue queue = context.createQueue("left.00000000");
            context.createProducer().send(queue, old).send(queue, old);
        }

        // when
        int exitCode = run("--messages=50 --rate=max --name=left");

        // then
        assertThat(out.toString()).contains("50 sent, 50 expected, 50 received");
        assertThat(exitCode).isZero();
    }

    @Test
    void shouldSayThatABrokerIsNotThere() {
        // given
        broker.close();

        // when
        int exitCode = run("--messages=1");

        // then
        assertThat(exitCode).isEqualTo(1);
        assertThat(out.toString()).contains("FAILED  options", "  - open: ").doesNotContain("\tat ");
    }

    private String target() {
        return "127.0.0.1:" + broker.port();
    }

    private int run(String options) {
        return runAt(target(), options);
    }

    private int runAt(String target, String options) {
        List<String> arguments = new ArrayList<>(List.of(
                "run", "--target=" + target, "--min-rate-percent=0", "--max-busy-percent=200", "--max-own-pause-ms=0"));
        arguments.addAll(List.of(options.split(" ", -1)));
        return JmsBench.execute(
                new PrintWriter(out, true), new PrintWriter(out, true), arguments.toArray(String[]::new));
    }
}
