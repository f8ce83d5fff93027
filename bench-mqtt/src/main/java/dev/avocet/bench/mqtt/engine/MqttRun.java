package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.mqtt.engine.RunPlan.Storms;
import dev.avocet.bench.mqtt.engine.RunPlan.Tls;
import dev.avocet.bench.part.CommandedRun;
import dev.avocet.bench.part.LiveRun;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.HarnessWatch;
import dev.avocet.bench.run.Inspection;
import dev.avocet.bench.run.Observation;
import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.PauseRecording;
import dev.avocet.bench.run.RateChanges;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run from its first connection to its verdict. One thread calls {@link #execute}, once; another may {@link #stop}
 * it.
 *
 * <p>Subscribers connect first, then the others; messages flow while it warms up, while it is measured, and afterwards
 * nothing more is sent and what is under way may arrive.
 */
public final class MqttRun implements CommandedRun {
    private static final int MAX_COMMANDS = 64;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CONNECT_PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LEAVE_PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final RunPlan plan;
    private final Share share;
    private final RunClock clock;
    private final Consumer<Snapshot> onSnapshot;
    private final AtomicReference<String> firstTrouble = new AtomicReference<>("");
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Snapshot> snapshots = new ArrayList<>();
    private final Outstanding outstanding;
    private final BlockingQueue<Consumer<LiveRun>> commands = new ArrayBlockingQueue<>(MAX_COMMANDS);
    private final RateChanges rateChanges = new RateChanges();
    private Inspection inspection = Inspection.NONE;
    private volatile boolean isStopped;
    private volatile boolean isOver;

    private volatile long startNs;
    private Uncertain uncertain = Uncertain.NONE;
    private String phase = "";
    private long lastSnapshotNs;
    private long lastSent;
    private long lastReceived;
    private double connectSeconds;

    /** @param onSnapshot told of each interval as it ends */
    public MqttRun(RunPlan plan, RunClock clock, Consumer<Snapshot> onSnapshot) {
        this(plan, Share.WHOLE, clock, onSnapshot);
    }

    MqttRun(RunPlan plan, Share share, RunClock clock, Consumer<Snapshot> onSnapshot) {
        this.plan = plan;
        this.share = share;
        this.clock = clock;
        this.onSnapshot = onSnapshot;
        outstanding = new Outstanding(plan.load().window());
    }

    /** Has the server's own figures looked at. To be called before it is executed. */
    public void inspectWith(Inspection newInspection) {
        inspection = newInspection;
    }

    @Override
    public double seconds() {
        return startNs == 0 ? 0 : (clock.nanoTime() - startNs) / SECOND_NS;
    }

    @Override
    public boolean submit(Consumer<LiveRun> command) {
        return !isOver && commands.offer(command);
    }

    @Override
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
        inspection.begin();
        try (PauseRecording pauses = PauseRecording.start(clock);
                Transport transport = new Transport(plan.load().threads())) {
            Population population = populate(transport);
            startNs = clock.nanoTime();
            lastSnapshotNs = startNs;
            Histories histories = new Histories();
            live = new Live(histories);
            Dialer dialer = connect(population, transport);
            String dead = deadTarget();
            if (!dead.isEmpty()) {
                throw new DeadTargetException(dead);
            }
            startStorms(population, dialer);
            Measured measured = measure(transport, histories, pauses);
            endStorms();
            drain(histories);
            if (plan.cutsOffPublishers()) {
                uncertain = Uncertain.of(plan.producers().qos() == 0, lanes, population);
            }
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
        final LatencyHistory full = of(latencies -> latencies.full);
        final LatencyHistory resumed = of(latencies -> latencies.resumed);
        final LatencyHistory connack = of(latencies -> latencies.connack);
        final LatencyHistory subscribe = of(latencies -> latencies.subscribe);
        final LatencyHistory reconnect = of(latencies -> latencies.reconnect);

        private LatencyHistory of(Function<LaneLatencies, LatencyRecorder> recorder) {
            return new LatencyHistory(
                    lanes.stream().map(lane -> recorder.apply(lane.latencies)).toList());
        }

        void forget() {
            Stream.of(message, acknowledge, connect, transport, full, resumed, connack, subscribe, reconnect)
                    .forEach(LatencyHistory::forget);
        }

        void endIntervals() {
            Stream.of(acknowledge, connect, transport, full, resumed, connack, subscribe, reconnect)
                    .forEach(LatencyHistory::endInterval);
        }

        Map<String, LatencySummary> totals() {
            Map<String, LatencySummary> totals = new LinkedHashMap<>();
            totals.put(plan.requests() == null ? "message" : "round trip", message.total());
            totals.put("acknowledge", acknowledge.total());
            totals.put("connect", connect.total());
            totals.put("transport", transport.total());
            totals.put("full", full.total());
            totals.put("resumed", resumed.total());
            totals.put("connack", connack.total());
            totals.put("subscribe", subscribe.total());
            totals.put("reconnect", reconnect.total());
            totals.values().removeIf(latency -> latency.samples() == 0);
            return totals;
        }
    }

    private @Nullable LiveRun live;

    private final class Live implements LiveRun {
        private final Histories histories;

        Live(Histories histories) {
            this.histories = histories;
        }

        @Override
        public void report() {
            MqttRun.this.report(phase, histories);
        }

        @Override
        public Map<String, LatencySummary> latencies() {
            return histories.totals();
        }

        @Override
        public void resetLatencies() {
            histories.forget();
        }

        @Override
        public void changeRate(double messagesPerSecond) {
            MqttRun.this.changeRate(messagesPerSecond, clock.nanoTime());
        }

        @Override
        public String firstTrouble() {
            return firstTrouble.get();
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

    /** All clients of this share, on the loops of the transport. */
    Population populate(Transport transport) {
        Payloads payloads = new Payloads(plan.load().minSizeBytes(), plan.load().maxSizeBytes());
        OwnMessages own = plan.own().messages().isEmpty()
                ? null
                : new OwnMessages(plan.own().messages());
        for (EventLoop loop : transport.loops()) {
            lanes.add(new Lane(loop, clock, payloads, plan.load(), outstanding, firstTrouble, own));
        }
        outstanding.watch(lanes);
        return new Population(plan, share, lanes);
    }

    Dialer connect(Population population, Transport transport) {
        Dialer dialer = new Dialer(plan.server(), transport, TlsClients.of(plan.tlsOfAny(), population.certificates()));
        open(population.subscribers(), dialer, 0);
        open(population.others(), dialer, population.subscribers().size());
        connectSeconds = (clock.nanoTime() - startNs) / SECOND_NS;
        keepAlive(population);
        return dialer;
    }

    private void open(List<SimulatedClient> clients, Dialer dialer, int firstNumber) {
        List<Connector> connectors = new ArrayList<>();
        int parties = lanes.size() * share.count();
        int most = Math.max(1, plan.server().maxConnecting() / parties);
        for (Lane lane : lanes) {
            List<SimulatedClient> mine =
                    clients.stream().filter(client -> client.lane() == lane).toList();
            connectors.add(new Connector(
                    lane,
                    dialer,
                    mine,
                    firstNumber + connectors.size(),
                    lanes.size(),
                    most,
                    plan.server().connectionsPerSecond() / parties));
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
                    || !deadTarget().isEmpty()
                    || clock.nanoTime() - progress[1] > CONNECT_PATIENCE_NS;
        });
    }

    /** Why no connection can be made; empty when one was made, or that is not known yet. */
    private String deadTarget() {
        return sum(lane -> lane.ready.value()) > 0
                ? ""
                : lanes.stream()
                        .map(lane -> lane.trouble.unreachable())
                        .filter(why -> !why.isEmpty())
                        .findFirst()
                        .orElse("");
    }

    private void keepAlive(Population population) {
        population.all().filter(client -> client.keepAliveSeconds() > 0).forEach(client -> {
            long everyMs = TimeUnit.SECONDS.toMillis(client.keepAliveSeconds()) / 2;
            client.lane().loop.scheduleAtFixedRate(client::ping, everyMs, everyMs, TimeUnit.MILLISECONDS);
        });
    }

    void startStorms(Population population, Dialer dialer) {
        Storms storms = plan.storms();
        if (storms == null) {
            return;
        }
        int parties = lanes.size() * share.count();
        for (int i = 0; i < lanes.size(); i++) {
            int party = i * share.count() + share.index();
            int own = storms.clients() / parties + (party < storms.clients() % parties ? 1 : 0);
            double rate = storms.returnsPerSecond() / parties;
            Lane lane = lanes.get(i);
            lane.storm.start(storms.returningAt(rate), dialer, population.stormers(storms.who(), lane), own);
        }
    }

    /** A client that is away comes back before what is lost is counted. */
    private void endStorms() {
        if (plan.storms() != null) {
            lanes.forEach(lane -> lane.storm.end());
            long sinceNs = clock.nanoTime();
            await(() -> sum(lane -> lane.storm.awayCount()) == 0 || clock.nanoTime() - sinceNs > CONNECT_PATIENCE_NS);
        }
    }

    void leave(Population population) {
        population.all().forEach(client -> client.lane().loop.execute(client::leave));
        long sinceNs = clock.nanoTime();
        long clients = population.all().count();
        // A client that was told to stop still leaves in good order.
        while (sum(lane -> lane.gone.value()) < clients && clock.nanoTime() - sinceNs < LEAVE_PATIENCE_NS) {
            LockSupport.parkNanos(LOOK_NS);
        }
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
            isOver = true;
            lanes.forEach(Lane::stopSending);
            long toNs = clock.nanoTime();
            double seconds = (toNs - fromNs) / SECOND_NS;
            snapshot("measure", histories);
            return new Measured(
                    seconds,
                    intended(fromNs, toNs) / seconds,
                    (sum(lane -> lane.sent.value()) - sent) / seconds,
                    (sum(lane -> lane.received.received()) - received) / seconds,
                    outstanding.count() - backlog,
                    harness);
        }
    }

    private double intended(long fromNs, long toNs) {
        return plan.wantsMessages() ? rateChanges.messagesBetween(fromNs, toNs) : 0;
    }

    /** @param nowNs when the schedule begins */
    void startSending(long nowNs) {
        rateChanges.add(plan.load().schedule(), nowNs);
        pace(plan.load().schedule(), nowNs, Lane::startSending);
    }

    /** From now on another rate, which counts from a moment that is a short time ago. */
    void changeRate(double messagesPerSecond, long sinceNs) {
        RateSchedule schedule = RateSchedule.fixed(messagesPerSecond);
        rateChanges.add(schedule, sinceNs);
        pace(schedule, sinceNs, Lane::changePace);
    }

    private void pace(RateSchedule schedule, long nowNs, BiConsumer<Lane, @Nullable Pacer> start) {
        boolean hasPace =
                !schedule.isUnpaced() && schedule.steps().stream().anyMatch(step -> step.messagesPerSecond() > 0);
        int all = plan.publishers();
        double publishers = all;
        double before = share.sendersBefore(all) / publishers;
        for (Lane lane : lanes) {
            if (lane.hasPublishers()) {
                double part = lane.publisherCount() / publishers;
                start.accept(lane, hasPace ? new Pacer(schedule, part, before, nowNs) : null);
                before += part;
            }
        }
    }

    private void watchUntil(String newPhase, long untilNs, Histories histories) {
        phase = newPhase;
        long[] progress = {sum(lane -> lane.received.received()), clock.nanoTime()};
        await(() -> {
            long nowNs = clock.nanoTime();
            if (nowNs - lastSnapshotNs >= plan.timing().snapshotNs()) {
                report(phase, histories);
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
            doCommands();
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** While messages flow: those that come before wait. */
    private void doCommands() {
        if (phase.isEmpty() || isOver) {
            return;
        }
        Consumer<LiveRun> command = commands.poll();
        while (command != null && live != null) {
            command.accept(live);
            command = commands.poll();
        }
    }

    // --- looking

    /** What is left of an interval at the end of a phase; a short rest is not worth a row. */
    private void snapshot(String itsPhase, Histories histories) {
        if (clock.nanoTime() - lastSnapshotNs >= plan.timing().snapshotNs() / 2) {
            report(itsPhase, histories);
        } else {
            histories.endIntervals();
            histories.message.endInterval();
        }
    }

    private Snapshot report(String itsPhase, Histories histories) {
        long nowNs = clock.nanoTime();
        double seconds = Math.max(1, nowNs - lastSnapshotNs) / SECOND_NS;
        long sent = sum(lane -> lane.sent.value());
        long received = sum(lane -> lane.received.received());
        histories.endIntervals();
        Snapshot taken = new Snapshot(
                itsPhase,
                (nowNs - startNs) / SECOND_NS,
                connections(),
                (sent - lastSent) / seconds,
                (received - lastReceived) / seconds,
                outstanding.count(),
                histories.message.endInterval());
        snapshots.add(taken);
        onSnapshot.accept(taken);
        lastSnapshotNs = nowNs;
        lastSent = sent;
        lastReceived = received;
        return taken;
    }

    long connections() {
        return sum(lane -> lane.ready.value() - lane.trouble.lostCount() - lane.storm.awayCount());
    }

    Tally tally() {
        Tally tally = new Tally(sum(lane -> lane.sent.value()), sum(lane -> lane.expected.value()), 0, 0, 0, 0);
        for (Lane lane : lanes) {
            tally = tally.plus(lane.received);
        }
        return tally;
    }

    List<Lane> lanes() {
        return lanes;
    }

    Outstanding outstanding() {
        return outstanding;
    }

    String firstTrouble() {
        return firstTrouble.get();
    }

    long sum(ToLongFunction<Lane> figure) {
        return lanes.stream().mapToLong(figure).sum();
    }

    private RunResult result(
            String started,
            Measured measured,
            HarnessLoad harness,
            Histories histories,
            Map<String, String> settings,
            Map<String, String> environment) {
        Tally tally = tally().without(uncertain.arrivals());
        Inspection.Findings found = inspection.end();
        LatencySummary message = histories.message.total();
        Observation seen = new Observation(
                plan.wantsMessages(),
                false,
                measured.seconds(),
                measured.intendedPerSecond(),
                measured.sentPerSecond(),
                measured.receivedPerSecond(),
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
                plan.criteria()
                        .judge(seen)
                        .withFaults(faults())
                        .withFaults(found.faults())
                        .noting(unchecked().notes())
                        .noting(uncertain.notes()),
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
                counts(found.counts()),
                List.of());
    }

    List<String> faults() {
        List<String> faults = new ArrayList<>();
        Map<String, Long> requests = RequestFigures.sum(lanes);
        addIfAny(
                faults,
                requests.get("unanswered"),
                "%d requests came without a response topic or beyond what may wait");
        addIfAny(faults, requests.get("stray"), "%d replies came to another requester or with other correlation data");
        addIfAny(faults, sum(lane -> lane.storm.sessionsLost()), "%d sessions were gone when their clients came back");
        addIfAny(
                faults,
                sum(lane -> lane.storm.refusedCount()),
                "%d times a client that came back was refused; the first trouble: " + firstTrouble.get());
        addIfAny(faults, sum(lane -> lane.storm.awayCount()), "%d clients never came back");
        faults.addAll(unchecked().faults(tally(), plan.criteria()));
        faults.addAll(uncertain.faults());
        addIfAny(faults, unexplainedDoubles(), "%d messages came more than once, though no publisher sent them again");
        return faults;
    }

    /** Where only publishers leave, it is known how much they have sent again; each of these may come once more. */
    private long unexplainedDoubles() {
        boolean isKnown = plan.hasResendingPublishers()
                && plan.storms() != null
                && !plan.storms().haveConsumers()
                && share.count() == 1;
        return isKnown ? tally().duplicates() - sum(lane -> lane.storm.arrivalsAgain()) : 0;
    }

    private static void addIfAny(List<String> faults, long count, String format) {
        if (count > 0) {
            faults.add(format.replace("%d", String.valueOf(count)));
        }
    }

    Map<String, Map<String, Long>> counts(Map<String, Map<String, Long>> found) {
        Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        if (plan.requests() != null) {
            counts.put("requests", RequestFigures.sum(lanes));
        }
        if (plan.storms() != null) {
            counts.put("storms", Storm.sum(lanes));
            if (plan.cutsOffPublishers()) {
                counts.get("storms").putAll(uncertain.counts());
            }
        }
        Tls tls = plan.tlsOfAny();
        if (tls != null && tls.resumes()) {
            counts.put("tls", Handshakes.sum(lanes));
        }
        counts.putAll(unchecked().counts());
        counts.putAll(found);
        return counts;
    }

    private Unchecked unchecked() {
        return new Unchecked(plan.own(), lanes.get(0).own, sum(lane -> lane.unchecked.value()));
    }
}
