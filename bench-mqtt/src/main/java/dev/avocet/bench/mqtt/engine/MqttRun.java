package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.HarnessWatch;
import dev.avocet.bench.run.Observation;
import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.PauseRecording;
import dev.avocet.bench.run.RunClock;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A run from its first connection to its verdict. One thread calls {@link #execute}, once; another may {@link #stop} it.
 *
 * <p>Subscribers connect first, then the others; messages flow while it warms up, while it is measured, and afterwards nothing more is sent
 * and what is under way may arrive.
 */
public final class MqttRun {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CONNECT_PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final RunPlan plan;
    private final RunClock clock;
    private final Consumer<Snapshot> onSnapshot;
    private final AtomicReference<String> firstTrouble = new AtomicReference<>("");
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final Outstanding outstanding;
    private volatile boolean isStopped;

    private long startNs;
    private long lastSnapshotNs;
    private long lastSent;
    private long lastReceived;
    private double connectSeconds;

    /** @param onSnapshot told of each interval as it ends */
    public MqttRun(RunPlan plan, RunClock clock, Consumer<Snapshot> onSnapshot) {
        this.plan = plan;
        this.clock = clock;
        this.onSnapshot = onSnapshot;
        outstanding = new Outstanding(plan.load().window());
    }

    /** Ends warming up, measuring or draining now; the result is of what was until then. */
    public void stop() {
        isStopped = true;
    }

    /**
     * Runs it; takes as long as the plan says.
     *
     * @param environment to be noted with the result
     */
    public RunResult execute(Map<String, String> settings, Map<String, String> environment) {
        String started = clock.now().toString();
        try (PauseRecording pauses = PauseRecording.start(clock);
                Transport transport = new Transport(plan.load().threads())) {
            Payloads payloads =
                    new Payloads(plan.load().minSizeBytes(), plan.load().maxSizeBytes());
            for (EventLoop loop : transport.loops()) {
                lanes.add(new Lane(loop, clock, payloads, plan.load(), outstanding, firstTrouble));
            }
            outstanding.watch(lanes);
            Population population = new Population(plan, lanes);
            Dialer dialer = new Dialer(
                    plan.server(), transport, TlsClients.context(plan.server().tls()));
            startNs = clock.nanoTime();
            lastSnapshotNs = startNs;
            Histories histories = new Histories();
            connect(population, dialer);
            keepAlive(population);
            Measured measured = measure(transport, histories, pauses);
            drain(histories);
            HarnessLoad harness = pauses.addTo(measured.harness(), startNs);
            RunResult result = result(started, measured, harness, histories, settings, environment);
            leave(population);
            return result;
        }
    }

    /** The latencies by kind. */
    private final class Histories {
        final LatencyHistory message = of(lane -> lane.messageLatency);
        final LatencyHistory connect = of(lane -> lane.connectLatency);
        final LatencyHistory acknowledge = of(lane -> lane.acknowledgeLatency);

        private LatencyHistory of(Function<Lane, LatencyRecorder> recorder) {
            return new LatencyHistory(lanes.stream().map(recorder).toList());
        }
    }

    private record Measured(
            double seconds,
            double intendedPerSecond,
            double sentPerSecond,
            double receivedPerSecond,
            long backlogGrowth,
            HarnessLoad harness) {}

    // --- connecting

    private void connect(Population population, Dialer dialer) {
        open(population.subscribers(), dialer, 0);
        open(population.others(), dialer, population.subscribers().size());
        connectSeconds = (clock.nanoTime() - startNs) / SECOND_NS;
    }

    private void open(List<SimulatedClient> clients, Dialer dialer, int firstNumber) {
        List<Connector> connectors = new ArrayList<>();
        int share = Math.max(1, plan.server().maxConnecting() / lanes.size());
        for (Lane lane : lanes) {
            List<SimulatedClient> mine =
                    clients.stream().filter(client -> client.lane() == lane).toList();
            connectors.add(new Connector(
                    lane, dialer, mine, firstNumber, share, plan.server().connectionsPerSecond() / lanes.size()));
        }
        connectors.forEach(Connector::start);
        long[] progress = {-1, clock.nanoTime()};
        await(() -> {
            long settled = sum(lane -> lane.ready.value() + lane.trouble.refusedCount());
            if (settled != progress[0]) {
                progress[0] = settled;
                progress[1] = clock.nanoTime();
            }
            return connectors.stream().allMatch(Connector::isDone)
                    || clock.nanoTime() - progress[1] > CONNECT_PATIENCE_NS;
        });
    }

    private void keepAlive(Population population) {
        int seconds = plan.server().keepAliveSeconds();
        if (seconds > 0) {
            long everyMs = TimeUnit.SECONDS.toMillis(seconds) / 2;
            population
                    .all()
                    .forEach(client -> client.lane()
                            .loop
                            .scheduleAtFixedRate(client::ping, everyMs, everyMs, TimeUnit.MILLISECONDS));
        }
    }

    private void leave(Population population) {
        population.all().forEach(client -> client.lane().loop.execute(client::leave));
    }

    // --- measuring

    private Measured measure(Transport transport, Histories histories, PauseRecording pauses) {
        long sendingSinceNs = clock.nanoTime();
        startSending(sendingSinceNs);
        watchUntil("warm-up", sendingSinceNs + plan.timing().warmUpNs(), histories);
        snapshot("warm-up", histories);
        histories.message.forget();
        histories.acknowledge.forget();
        try (HarnessWatch watch = new HarnessWatch(clock, transport.threads(), pauses)) {
            long fromNs = clock.nanoTime();
            long sent = sum(lane -> lane.sent.value());
            long received = sum(lane -> lane.received.received());
            long backlog = outstanding.count();
            watchUntil("measure", fromNs + plan.timing().measureNs(), histories);
            HarnessLoad harness = watch.load();
            lanes.forEach(Lane::stopSending);
            long toNs = clock.nanoTime();
            double seconds = (toNs - fromNs) / SECOND_NS;
            snapshot("measure", histories);
            return new Measured(
                    seconds,
                    intended(fromNs - sendingSinceNs, toNs - sendingSinceNs) / seconds,
                    (sum(lane -> lane.sent.value()) - sent) / seconds,
                    (sum(lane -> lane.received.received()) - received) / seconds,
                    outstanding.count() - backlog,
                    harness);
        }
    }

    private double intended(long fromNs, long toNs) {
        return plan.wantsMessages() ? plan.load().schedule().messagesBetween(fromNs, toNs) : 0;
    }

    private void startSending(long nowNs) {
        double publishers = lanes.stream().mapToInt(Lane::publisherCount).sum();
        double before = 0;
        for (Lane lane : lanes) {
            if (lane.hasPublishers()) {
                double share = lane.publisherCount() / publishers;
                lane.startSending(
                        plan.load().schedule().isUnpaced()
                                ? null
                                : new Pacer(plan.load().schedule(), share, before, nowNs));
                before += share;
            }
        }
    }

    private void watchUntil(String phase, long untilNs, Histories histories) {
        long[] progress = {sum(lane -> lane.received.received()), clock.nanoTime()};
        await(() -> {
            long nowNs = clock.nanoTime();
            if (nowNs - lastSnapshotNs >= plan.timing().snapshotNs()) {
                snapshot(phase, histories);
            }
            giveUpWhatDoesNotCome(progress, nowNs);
            return nowNs - untilNs >= 0;
        });
    }

    /** A lost message must not take up room in the window for ever. */
    private void giveUpWhatDoesNotCome(long[] progress, long nowNs) {
        long received = sum(lane -> lane.received.received());
        if (received != progress[0]) {
            progress[0] = received;
            progress[1] = nowNs;
        } else if (nowNs - progress[1] > GIVE_UP_NS && outstanding.isFull()) {
            outstanding.giveUp();
            progress[1] = nowNs;
        }
    }

    private void drain(Histories histories) {
        long[] progress = {-1, clock.nanoTime()};
        await(() -> {
            Tally tally = tally();
            if (tally.received() != progress[0]) {
                progress[0] = tally.received();
                progress[1] = clock.nanoTime();
            }
            return tally.lost() == 0
                    || clock.nanoTime() - progress[1] > plan.timing().drainNs();
        });
        snapshot("drain", histories);
    }

    private void await(BooleanSupplier condition) {
        while (!isStopped && !condition.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    // --- looking

    private void snapshot(String phase, Histories histories) {
        long nowNs = clock.nanoTime();
        double seconds = Math.max(1, nowNs - lastSnapshotNs) / SECOND_NS;
        long sent = sum(lane -> lane.sent.value());
        long received = sum(lane -> lane.received.received());
        histories.connect.endInterval();
        histories.acknowledge.endInterval();
        LatencySummary latency = histories.message.endInterval();
        if (nowNs - lastSnapshotNs >= plan.timing().snapshotNs() / 2) {
            Snapshot taken = new Snapshot(
                    phase,
                    (nowNs - startNs) / SECOND_NS,
                    connections(),
                    (sent - lastSent) / seconds,
                    (received - lastReceived) / seconds,
                    outstanding.count(),
                    latency);
            snapshots.add(taken);
            onSnapshot.accept(taken);
            lastSnapshotNs = nowNs;
            lastSent = sent;
            lastReceived = received;
        }
    }

    private long connections() {
        return sum(lane -> lane.ready.value() - lane.trouble.lostCount());
    }

    private Tally tally() {
        Tally tally = new Tally(sum(lane -> lane.sent.value()), sum(lane -> lane.expected.value()), 0, 0, 0, 0);
        for (Lane lane : lanes) {
            tally = tally.plus(lane.received);
        }
        return tally;
    }

    private long sum(ToLongFunction<Lane> figure) {
        return lanes.stream().mapToLong(figure).sum();
    }

    private RunResult result(
            String started,
            Measured measured,
            HarnessLoad harness,
            Histories histories,
            Map<String, String> settings,
            Map<String, String> environment) {
        Tally tally = tally();
        LatencySummary message = histories.message.total();
        Observation seen = new Observation(
                plan.wantsMessages(),
                measured.intendedPerSecond(),
                measured.sentPerSecond(),
                tally,
                message,
                measured.backlogGrowth(),
                isStopped ? 0 : plan.clients() - sum(lane -> lane.ready.value()),
                sum(lane -> lane.trouble.lostCount()),
                firstTrouble.get().isEmpty() ? "no answer" : firstTrouble.get(),
                harness);
        return new RunResult(
                "mqttbench",
                plan.name(),
                started,
                plan.criteria().judge(seen),
                settings,
                measured.seconds(),
                measured.intendedPerSecond(),
                measured.sentPerSecond(),
                measured.receivedPerSecond(),
                sum(lane -> lane.ready.value()) / Math.max(1e-9, connectSeconds),
                connections(),
                tally,
                latencies(histories),
                plan.wantsMessages() ? histories.message.percentiles() : histories.connect.percentiles(),
                List.copyOf(snapshots),
                harness,
                environment);
    }

    private static Map<String, LatencySummary> latencies(Histories histories) {
        Map<String, LatencySummary> latencies = new LinkedHashMap<>();
        latencies.put("message", histories.message.total());
        latencies.put("acknowledge", histories.acknowledge.total());
        latencies.put("connect", histories.connect.total());
        latencies.values().removeIf(latency -> latency.samples() == 0);
        return latencies;
    }
}
