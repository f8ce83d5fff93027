package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.mqtt.engine.RunPlan.Storms;
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
import java.util.stream.Stream;

/**
 * A run from its first connection to its verdict. One thread calls {@link #execute}, once; another may {@link #stop} it.
 *
 * <p>Subscribers connect first, then the others; messages flow while it warms up, while it is measured, and afterwards nothing more is sent
 * and what is under way may arrive.
 */
public final class MqttRun {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
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
            startStorms(population, dialer);
            Measured measured = measure(transport, histories, pauses);
            endStorms();
            drain(histories);
            HarnessLoad harness = pauses.addTo(measured.harness(), startNs);
            RunResult result = result(started, measured, harness, histories, settings, environment);
            leave(population);
            return result;
        }
    }

    /** The latencies by kind. */
    private final class Histories {
        final LatencyHistory message = of(latencies -> latencies.message);
        final LatencyHistory acknowledge = of(latencies -> latencies.acknowledge);
        final LatencyHistory connect = of(latencies -> latencies.connect);
        final LatencyHistory transport = of(latencies -> latencies.transport);
        final LatencyHistory connack = of(latencies -> latencies.connack);
        final LatencyHistory subscribe = of(latencies -> latencies.subscribe);
        final LatencyHistory reconnect = of(latencies -> latencies.reconnect);

        private LatencyHistory of(Function<LaneLatencies, LatencyRecorder> recorder) {
            return new LatencyHistory(
                    lanes.stream().map(lane -> recorder.apply(lane.latencies)).toList());
        }

        void endIntervals() {
            Stream.of(acknowledge, connect, transport, connack, subscribe, reconnect)
                    .forEach(LatencyHistory::endInterval);
        }

        Map<String, LatencySummary> totals() {
            Map<String, LatencySummary> totals = new LinkedHashMap<>();
            totals.put(plan.requests() == null ? "message" : "round trip", message.total());
            totals.put("acknowledge", acknowledge.total());
            totals.put("connect", connect.total());
            totals.put("transport", transport.total());
            totals.put("connack", connack.total());
            totals.put("subscribe", subscribe.total());
            totals.put("reconnect", reconnect.total());
            totals.values().removeIf(latency -> latency.samples() == 0);
            return totals;
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

    private void startStorms(Population population, Dialer dialer) {
        Storms storms = plan.storms();
        if (storms == null) {
            return;
        }
        for (int i = 0; i < lanes.size(); i++) {
            int share = storms.clients() / lanes.size() + (i < storms.clients() % lanes.size() ? 1 : 0);
            double rate = storms.returnsPerSecond() / lanes.size();
            Lane lane = lanes.get(i);
            lane.storm.start(storms.returningAt(rate), dialer, population.stormers(storms.who(), lane), share);
        }
    }

    /** Whoever is away comes back before what is lost is counted. */
    private void endStorms() {
        if (plan.storms() != null) {
            lanes.forEach(lane -> lane.storm.end());
            long sinceNs = clock.nanoTime();
            await(() -> sum(lane -> lane.storm.awayCount()) == 0 || clock.nanoTime() - sinceNs > CONNECT_PATIENCE_NS);
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
        histories.endIntervals();
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
        return sum(lane -> lane.ready.value() - lane.trouble.lostCount() - lane.storm.awayCount());
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
                plan.criteria().judge(seen).withFaults(faults()),
                settings,
                measured.seconds(),
                measured.intendedPerSecond(),
                measured.sentPerSecond(),
                measured.receivedPerSecond(),
                sum(lane -> lane.ready.value()) / Math.max(1e-9, connectSeconds),
                connections(),
                tally,
                histories.totals(),
                plan.wantsMessages() ? histories.message.percentiles() : histories.connect.percentiles(),
                List.copyOf(snapshots),
                harness,
                environment,
                counts());
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        Map<String, Long> requests = RequestFigures.sum(lanes);
        addIfAny(
                faults,
                requests.get("unanswered"),
                "%d requests came without a response topic or beyond what may wait");
        addIfAny(faults, requests.get("stray"), "%d replies came to somebody else or with other correlation data");
        addIfAny(faults, sum(lane -> lane.storm.sessionsLost()), "%d sessions were gone when their clients came back");
        addIfAny(
                faults,
                sum(lane -> lane.storm.refusedCount()),
                "%d times a client that came back was refused; the first trouble: " + firstTrouble.get());
        addIfAny(faults, sum(lane -> lane.storm.awayCount()), "%d clients never came back");
        return faults;
    }

    private static void addIfAny(List<String> faults, long count, String format) {
        if (count > 0) {
            faults.add(format.replace("%d", String.valueOf(count)));
        }
    }

    private Map<String, Map<String, Long>> counts() {
        Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        if (plan.requests() != null) {
            counts.put("requests", RequestFigures.sum(lanes));
        }
        if (plan.storms() != null) {
            counts.put("storms", Storm.sum(lanes));
        }
        return counts;
    }
}
