package dev.avocet.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Machines, networks and controllers that go away without a word, and strangers who stay. */
@InTurn
final class AgentLossTest {
    private static final Patience SHORT = new Patience(10_000, 3_000, 10_000);

    private final AgentRuns runs = new AgentRuns();

    @AfterEach
    void stopAgents() {
        runs.close();
    }

    @Test
    void shouldBeInvalidWhenTheNetworkIsCut() throws IOException {
        // given a second machine behind a line
        try (TestBroker broker = Brokers.start()) {
            runs.add(RunClock.system());
            InetSocketAddress second =
                    runs.add(RunClock.system(), AgentRuns.CREDENTIALS, SHORT).address();
            try (CuttableLine line = new CuttableLine(second)) {
                runs.reach(1, line.address());

                // when the line is cut in mid-run
                RunResult result = runs.run(
                        AgentRuns.options(
                                broker.port(), "--producers=4", "--consumers=2", "--rate=200", "--duration=100"),
                        snapshot -> line.cut());

                // then
                assertThat(result.verdict().outcome()).isEqualTo(Outcome.INVALID);
                assertThat(result.verdict().reasons().get(0))
                        .startsWith("agent machine2 was lost ")
                        .endsWith(": nothing was heard of it for 3.0 s");
                assertThat(result.tally().sent()).isPositive();

                // and the machine itself has noticed too, ends its part and is free
                runs.reach(1, second);
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> runs.connect(1).close());
                assertThat(runs.log()).contains("gone: nothing was heard of it for 3.0 s");
            }
        }
    }

    @Test
    void shouldEndItsPartWhenTheControllerGoes() throws IOException {
        // given a run without an end
        try (TestBroker broker = Brokers.start()) {
            runs.add(RunClock.system());
            List<RemoteAgent> agents = List.of(runs.connect(0));
            List<String> options =
                    AgentRuns.options(broker.port(), "--producers=2", "--consumers=1", "--rate=200", "--duration=0");
            Controller controller = AgentRuns.controller(
                    options, agents, snapshot -> agents.get(0).close());

            // when the controller's side of the connection goes
            RunResult result = controller.run();
            assertThat(result.verdict().outcome()).isEqualTo(Outcome.INVALID);

            // then the agent does the next run with no client of the one before in its way
            RunResult next = runs.run(
                    AgentRuns.options(broker.port(), "--producers=2", "--consumers=1", "--rate=200"), snapshot -> {});
            assertThat(next.tally().sent()).as("%s", next.verdict()).isPositive();
            assertThat(next.tally().received()).isEqualTo(next.tally().sent());
            assertThat(next.tally().lost() + next.tally().duplicates()).isZero();
        }
    }

    /** An agent that repeats runs is told of the next while it ends the one before. */
    @Test
    void shouldTakeOneControllerAfterTheOther() throws IOException {
        runs.add(RunClock.system());

        for (int i = 0; i < 20; i++) {
            runs.connect(0).close();
        }
    }

    @Test
    void shouldHaveNoMoreStrangersThanItMay() throws IOException {
        // given as many strangers as there may be, each greeted and silent
        InetSocketAddress agent = runs.add(RunClock.system(), AgentRuns.CREDENTIALS, new Patience(60_000, 60_000, 1))
                .address();
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < Agent.MOST_CONNECTIONS; i++) {
                strangers.add(Strangers.connect(agent));
                assertThat(strangers.get(i).getInputStream().read()).isNotNegative();
            }

            // then one more hears nothing
            try (Socket oneMore = Strangers.connect(agent)) {
                assertThat(Strangers.readToTheEnd(oneMore.getInputStream())).isZero();
            }
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }

        // and when they have gone there is room
        await().atMost(1, TimeUnit.MINUTES).untilAsserted(() -> runs.connect(0).close());
    }

    @Test
    void shouldHaveNoStrangerForLong() throws IOException {
        runs.add(RunClock.system(), AgentRuns.CREDENTIALS, new Patience(100, 60_000, 1));

        try (Socket stranger = Strangers.connect(runs.address(0))) {
            assertThat(Strangers.readToTheEnd(stranger.getInputStream())).isLessThan(Wire.STRANGER_BYTES);
        }
    }
}
