package dev.avocet.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several agents and a controller in one process, against a broker. */
@InTurn
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AgentsTest {
    private TestBroker broker;
    private AgentRuns runs = new AgentRuns();

    @BeforeAll
    void start() {
        broker = Brokers.start();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @AfterEach
    void stopAgents() {
        runs.close();
        runs = new AgentRuns();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--producers=5 --consumers=3 --partitions=3 --qos=1 --rate=400",
                "--producers=4 --consumers=4 --topic=all --filter=all --rate=200",
                "--producers=4 --consumers=3 --topic=s/{i} --filter=$share/g/s/# --qos=1 --rate=400",
                "--producers=3 --consumers=2 --partitions=2 --qos=2 --rate=max --window=200",
                "--producers=3 --consumers=2 --partitions=2 --steps=100,300 --step-seconds=0.2",
                "--producers=3 --consumers=2 --partitions=2 --rate=100 --burst=0.3,0.1,600"
            })
    void shouldMakeOneRunOfTheSharesOfThree(String options) throws IOException {
        // given
        for (int i = 0; i < 3; i++) {
            runs.add(RunClock.system());
        }

        // when
        RunResult result = runs.run(AgentRuns.options(broker.port(), options.split(" ")), snapshot -> {});

        // then
        Tally tally = result.tally();
        int producers = number(options, "producers");
        int consumers = number(options, "consumers");
        int copies = options.contains("=all") ? consumers : 1;
        assertThat(tally.sent()).as("%s", result.verdict()).isPositive();
        assertThat(tally).isEqualTo(new Tally(tally.sent(), tally.sent() * copies, tally.sent() * copies, 0, 0, 0));
        assertThat(result.connections()).isEqualTo(producers + consumers);
        assertThat(result.latencies().get("message").samples()).isEqualTo(tally.received());
        assertThat(result.latencies().get("connect").samples()).isEqualTo(producers + consumers);
        assertThat(result.snapshots()).isNotEmpty();
        assertThat(result.settings()).containsEntry("latency between agents", "by one clock");
        assertThat(result.environment()).containsKey("agent machine2, jvm");
        assertThat(runs.log()).contains("127.0.0.1: serves its run");
    }

    /** As many as one machine sends in that time, but for what each had begun when it was told to end. */
    @Test
    void shouldSendAtTheRateOfOneMachine() throws IOException {
        runs.add(RunClock.system());
        runs.add(RunClock.system());

        RunResult result = runs.run(
                AgentRuns.options(broker.port(), "--producers=3", "--consumers=1", "--rate=1000"), snapshot -> {});

        assertThat(result.intendedPerSecond()).isBetween(999.0, 1001.0);
        assertThat(result.tally().sent()).isLessThanOrEqualTo((long) (1000 * (result.measuredSeconds() + 0.5)));
    }

    /** A machine whose clock shows an hour more sends messages to one whose clock shows an hour less. */
    @Test
    void shouldCorrectLatenciesByTheDifferenceOfClocks() throws IOException {
        // given
        long hourNs = TimeUnit.HOURS.toNanos(1);
        runs.add(RunClock.system().ahead(hourNs));
        runs.add(RunClock.system().ahead(-hourNs));

        // when
        RunResult result = runs.run(
                AgentRuns.options(broker.port(), "--producers=2", "--consumers=2", "--partitions=2", "--rate=300"),
                snapshot -> {});

        // then
        assertThat(result.tally().lost()).isZero();
        assertThat(result.tally().received()).isPositive();
        assertThat(result.latencies().get("message").maxNs()).isLessThan(TimeUnit.MINUTES.toNanos(1));
        assertThat(result.settings().get("agent machine1, clock")).matches("\\+(3600000|3599999)\\.\\d+ ms from .*");
        assertThat(result.settings().get("agent machine2, clock")).matches("-(3600000|3599999)\\.\\d+ ms from .*");
        assertThat(result.settings().get("latency between agents")).startsWith("corrected, within ");
    }

    @Test
    void shouldBeInvalidWhenAnAgentIsLost() throws IOException {
        // given
        runs.add(RunClock.system());
        Agent lost = runs.add(RunClock.system());

        // when
        RunResult result = runs.run(
                AgentRuns.options(broker.port(), "--producers=4", "--consumers=2", "--rate=400", "--duration=60"),
                snapshot -> lost.close());

        // then
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.verdict().reasons().get(0))
                .startsWith("agent machine2 was lost ")
                .contains(" at measure: ");
        assertThat(result.tally().sent()).isPositive();
    }

    @Test
    void shouldServeOneControllerAtATimeAndEndItsRunWhenTheControllerGoes() throws IOException {
        // given an agent with a run
        runs.add(RunClock.system(), AgentRuns.CREDENTIALS, new Patience(10_000, 10_000, 1));
        RemoteAgent first = runs.connect(0);

        // when another one asks
        assertThatThrownBy(() -> runs.connect(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("agent machine1 is busy with a run of 127.0.0.1");

        // then it is free again when the first has gone
        first.close();
        await().atMost(1, TimeUnit.MINUTES).untilAsserted(() -> runs.connect(0).close());
    }

    @Test
    void shouldSayWhichAgentDoesNotUnderstand() throws IOException {
        runs.add(RunClock.system());
        RemoteAgent agent = runs.connect(0);
        Controller controller = AgentRuns.controller(
                AgentRuns.options(broker.port(), "--producers=1", "--trust-file=/none", "--tls"),
                List.of(agent),
                snapshot -> {});

        assertThatThrownBy(controller::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("agent machine1: ");
    }

    @Test
    void shouldRefuseAWrongSecret() throws IOException {
        InetSocketAddress address = runs.add(RunClock.system()).address();
        Credentials other = Credentials.of(Secret.of("another secret of enough bytes"));

        assertThatThrownBy(() -> RemoteAgent.connect("m", address, other, AgentRuns.VERSION, RunClock.system()))
                .hasMessage("agent m wrong secret");
    }

    @Test
    void shouldRefuseAnotherVersion() throws IOException {
        InetSocketAddress address = runs.add(RunClock.system()).address();

        assertThatThrownBy(() -> RemoteAgent.connect("m", address, AgentRuns.CREDENTIALS, "other", RunClock.system()))
                .hasMessage("agent m is of version test and the controller of other: both must be of the same");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "\u007f\u007f\u007f\u007f", "\0\0\0\u0002{}", "\0\0\0\u0001{"})
    void shouldCloseTheConnectionOfWhoeverSendsGarbage(String garbage) throws IOException {
        // given
        InetSocketAddress address = runs.add(RunClock.system()).address();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(garbage.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();

            // then after its greeting nothing more comes
            InputStream in = socket.getInputStream();
            socket.setSoTimeout(40_000);
            assertThat(Strangers.readToTheEnd(in)).isLessThan(Wire.STRANGER_BYTES);
        }

        // and it serves others as before
        runs.connect(0).close();
    }

    private static int number(String options, String name) {
        return Integer.parseInt(options.replaceFirst(".*--" + name + "=(\\d+).*", "$1"));
    }
}
