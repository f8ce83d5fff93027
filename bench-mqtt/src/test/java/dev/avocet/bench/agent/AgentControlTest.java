package dev.avocet.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.mqtt.engine.Brokers;
import dev.avocet.bench.part.LiveRun;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.Inspection;
import dev.avocet.bench.run.Pause;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.TestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can be asked of a run of two agents, as of a run of one machine. */
@InTurn
final class AgentControlTest {
    private final AgentRuns runs = new AgentRuns();
    private TestBroker broker;

    @BeforeEach
    void start() throws IOException {
        broker = Brokers.start();
        runs.add(RunClock.system());
        runs.add(RunClock.system());
    }

    @AfterEach
    void stop() {
        runs.close();
        broker.close();
    }

    @Test
    void shouldDoWhatIsAskedWhileItGoesOn() {
        // given a rate that sends next to nothing, and commands that wait for the start
        AtomicReference<Map<String, LatencySummary>> latencies = new AtomicReference<>(Map.of());
        AtomicReference<String> trouble = new AtomicReference<>("unasked");
        AtomicReference<Controller> asked = new AtomicReference<>();

        // when
        RunResult result = run(
                controller -> {
                    asked.set(controller);
                    assertThat(controller.submit(live -> live.changeRate(400))).isTrue();
                    controller.submit(LiveRun::resetLatencies);
                    controller.submit(LiveRun::report);
                    return controller;
                },
                snapshot -> asked.get().submit(live -> {
                    latencies.set(live.latencies());
                    trouble.set(live.firstTrouble());
                }),
                "--producers=3",
                "--consumers=2",
                "--partitions=2",
                "--rate=0.001",
                "--interval=0.2",
                "--duration=1.5");

        // then
        assertThat(result.intendedPerSecond()).isBetween(0.01, 401.0);
        assertThat(result.tally().received())
                .isGreaterThan(1) // the one of the first rate
                .isEqualTo(result.tally().sent());
        assertThat(result.snapshots()).isNotEmpty();
        assertThat(latencies.get()).containsKey("message");
        assertThat(trouble.get()).isEmpty();
        assertThat(asked.get().submit(live -> {})).isFalse();
        assertThat(asked.get().seconds()).isPositive();
    }

    /** Without it there would be no figures before the end of so long an interval. */
    @Test
    void shouldReportWhenItIsAskedAndEndWhenItIsTold() {
        AtomicReference<Controller> told = new AtomicReference<>();

        RunResult result = run(
                controller -> {
                    told.set(controller);
                    controller.submit(LiveRun::report);
                    return controller;
                },
                snapshot -> told.get().stop(),
                "--producers=2",
                "--consumers=1",
                "--rate=100",
                "--interval=1000",
                "--duration=1000");

        assertThat(result.snapshots()).isNotEmpty();
        assertThat(result.verdict().outcome()).isNotEqualTo(Outcome.INVALID);
    }

    @Test
    void shouldHaveWhatTheServerSays() {
        RunResult result = run(
                inspectedBy(() -> new Inspection.Findings(
                        Map.of("brokerGrown", Map.of("DiscardedMessages", 3L)),
                        List.of("the broker says: 3 are gone"))),
                snapshot -> {},
                "--producers=2",
                "--consumers=1",
                "--rate=100");

        assertThat(result.counts().get("brokerGrown")).containsEntry("DiscardedMessages", 3L);
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.verdict().reasons()).contains("the broker says: 3 are gone");
    }

    @Test
    void shouldFailWhenTheServerSaysNothing() {
        RunResult result = run(
                inspectedBy(() -> {
                    throw new IllegalArgumentException("--broker-stats: no answer");
                }),
                snapshot -> {},
                "--producers=2",
                "--consumers=1",
                "--rate=100");

        assertThat(result.verdict().reasons()).contains("--broker-stats: no answer");
        assertThat(result.tally().lost()).isZero();
    }

    @Test
    void shouldCountStormsOfAll() {
        RunResult result = run(
                controller -> controller,
                snapshot -> {},
                "--producers=2",
                "--consumers=4",
                "--partitions=4",
                "--topics-per-producer=2",
                "--qos=1",
                "--persistent",
                "--rate=100",
                "--duration=1",
                "--storm-every=0.2",
                "--storm-away=0.05");

        Map<String, Long> storms = result.counts().get("storms");
        assertThat(storms.get("left")).as("%s", result.verdict()).isPositive().isEqualTo(storms.get("returned"));
        // In each wave all four leave, of both agents together; the last one may be cut short.
        assertThat(storms.get("waves")).isPositive().isLessThanOrEqualTo(storms.get("left") / 4 + 1);
        assertThat(storms.get("sessionsLost")).isZero();
        assertThat(result.tally().lost()).isZero();
    }

    @Test
    void shouldMeasureRoundTripsBetweenAgents() {
        RunResult result = run(
                controller -> controller,
                snapshot -> {},
                "--requesters=3",
                "--responders=2",
                "--mqtt-version=5",
                "--rate=100");

        long sent = result.tally().sent();
        assertThat(sent).as("%s", result.verdict()).isPositive();
        assertThat(result.tally().received()).isEqualTo(sent);
        assertThat(result.counts().get("requests"))
                .containsEntry("answered", sent)
                .containsEntry("stray", 0L);
        assertThat(result.latencies().get("round trip").samples()).isEqualTo(sent);
    }

    @Test
    void shouldNameTheAgentThatStoodStill() {
        assumeTrue(ModuleLayer.boot().findModule("jdk.jfr").isPresent(), "this JVM has no flight recorder");

        RunResult result = run(
                controller -> controller,
                snapshot -> System.gc(),
                "--producers=2",
                "--consumers=1",
                "--rate=100",
                "--duration=1",
                "--max-own-pause-ms=0.001");

        assertThat(result.harness().pauses()).isNotEmpty();
        assertThat(result.harness().pauses()).extracting(Pause::agent).allMatch(agent -> agent.startsWith("machine"));
        assertThat(result.verdict().outcome()).isEqualTo(Outcome.INVALID);
        assertThat(result.verdict().reasons().get(0)).startsWith("agent machine1, harness: its JVM stood still for ");
    }

    private interface Ending {
        Inspection.Findings end();
    }

    private static UnaryOperator<Controller> inspectedBy(Ending ending) {
        return controller -> {
            controller.inspectWith(new Inspection() {
                @Override
                public void begin() {
                    // Nothing was before.
                }

                @Override
                public Findings end() {
                    return ending.end();
                }
            });
            return controller;
        };
    }

    private RunResult run(UnaryOperator<Controller> prepare, Consumer<Snapshot> onSnapshot, String... options) {
        List<RemoteAgent> agents = List.of(runs.connect(0), runs.connect(1));
        try {
            return prepare.apply(AgentRuns.controller(AgentRuns.options(broker.port(), options), agents, onSnapshot))
                    .run();
        } finally {
            agents.forEach(RemoteAgent::close);
        }
    }
}
