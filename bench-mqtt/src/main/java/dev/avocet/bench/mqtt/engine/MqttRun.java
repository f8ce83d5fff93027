package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.mqtt.engine.flow.OwnMessages;
import dev.avocet.bench.mqtt.engine.flow.Payloads;
import dev.avocet.bench.mqtt.engine.plan.DeadTargetException;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Storms;
import dev.avocet.bench.mqtt.engine.plan.TlsClients;
import dev.avocet.bench.mqtt.engine.plan.Transport;
import dev.avocet.bench.part.CommandedRun;
import dev.avocet.bench.part.LiveRun;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.HarnessWatch;
import dev.avocet.bench.run.Inspection;
import dev.avocet.bench.run.Observation;
import dev.avocet.bench.run.PauseRecording;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
    private final Outstanding outstanding;
    private final LaneFigures figures;
    private final BlockingQueue<Consumer<LiveRun>> commands = new ArrayBlockingQueue<>(MAX_COMMANDS);
    private final Pace pace;
    private Inspection inspection = Inspection.NONE;
    private volatile boolean isStopped;
    private volatile boolean isOver;

    private volatile long startNs;
    private @Nullable LiveRun live;
    private String phase = "";
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
        pace = new Pace(plan, share, lanes);
        figures = new LaneFigures(plan, share, lanes, firstTrouble);
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
            Histories histories = new Histories(lanes, plan.requests() == null ? "message" : "round trip");
            Intervals intervals =
                    new Intervals(clock, startNs, plan.timing().snapshotNs(), histories, figures, onSnapshot);
            live = new Live(histories, intervals);
            Dialer dialer = connect(population, transport);
            String dead = deadTarget();
            if (!dead.isEmpty()) {
                throw new DeadTargetException(dead);
            }
            startStorms(population, dialer);
            Measured measured = measure(transport, histories, intervals, pauses);
            endStorms();
            drain(intervals);
            if (plan.cutsOffPublishers()) {
                figures.expectMissing(Uncertain.of(plan.producers().qos() == 0, lanes, population));
            }
            HarnessLoad harness = pauses.addTo(measured.harness(), startNs);
            RunResult result = result(started, measured, harness, histories, intervals.all(), settings, environment);
            leave(population);
            return result;
        }
    }

    private final class Live implements LiveRun {
        private final Histories histories;
        private final Intervals intervals;

        Live(Histories histories, Intervals intervals) {
            this.histories = histories;
            this.intervals = intervals;
        }

        @Override
        public void report() {
            intervals.report(phase, outstanding.count());
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
            pace.change(messagesPerSecond, clock.nanoTime());
        }

        @Override
        public String firstTrouble() {
            return firstTrouble.get();
        }
    }

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
            long settled = figures.sum(lane -> lane.ready.value() + lane.trouble.refusedCount());
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
        return figures.sum(lane -> lane.ready.value()) > 0
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
            await(() -> figures.sum(lane -> lane.storm.awayCount()) == 0
                    || clock.nanoTime() - sinceNs > CONNECT_PATIENCE_NS);
        }
    }

    void leave(Population population) {
        population.all().forEach(client -> client.lane().loop.execute(client::leave));
        long sinceNs = clock.nanoTime();
        long clients = population.all().count();
        // A client that was told to stop still leaves in good order.
        while (figures.sum(lane -> lane.gone.value()) < clients && clock.nanoTime() - sinceNs < LEAVE_PATIENCE_NS) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    // --- measuring

    private Measured measure(Transport transport, Histories histories, Intervals intervals, PauseRecording pauses) {
        long sendingSinceNs = clock.nanoTime();
        pace.start(sendingSinceNs);
        watchUntil("warm-up", sendingSinceNs + plan.timing().warmUpNs(), intervals);
        intervals.endPhase("warm-up", outstanding.count());
        histories.message.forget();
        histories.acknowledge.forget();
        try (HarnessWatch watch = new HarnessWatch(clock, transport.threads(), pauses)) {
            long fromNs = clock.nanoTime();
            long sent = figures.sum(lane -> lane.sent.value());
            long received = figures.sum(lane -> lane.received.received());
            long backlog = outstanding.count();
            watchUntil("measure", fromNs + plan.timing().measureNs(), intervals);
            HarnessLoad harness = watch.load();
            isOver = true;
            lanes.forEach(Lane::stopSending);
            long toNs = clock.nanoTime();
            double seconds = (toNs - fromNs) / SECOND_NS;
            intervals.endPhase("measure", outstanding.count());
            return new Measured(
                    seconds,
                    pace.intendedBetween(fromNs, toNs) / seconds,
                    (figures.sum(lane -> lane.sent.value()) - sent) / seconds,
                    (figures.sum(lane -> lane.received.received()) - received) / seconds,
                    outstanding.count() - backlog,
                    harness);
        }
    }

    private void watchUntil(String newPhase, long untilNs, Intervals intervals) {
        phase = newPhase;
        long[] progress = {figures.sum(lane -> lane.received.received()), clock.nanoTime()};
        await(() -> {
            long nowNs = clock.nanoTime();
            if (intervals.isDue(nowNs)) {
                intervals.report(phase, outstanding.count());
            }
            giveUpWhatDoesNotCome(progress, nowNs);
            return nowNs - untilNs >= 0;
        });
    }

    /** A lost message must not take up room in the window for ever. */
    private void giveUpWhatDoesNotCome(long[] progress, long nowNs) {
        long received = figures.sum(lane -> lane.received.received());
        if (received != progress[0]) {
            progress[0] = received;
            progress[1] = nowNs;
        } else if (nowNs - progress[1] > GIVE_UP_NS && outstanding.isFull()) {
            outstanding.giveUp();
            progress[1] = nowNs;
        }
    }

    private void drain(Intervals intervals) {
        long[] progress = {-1, clock.nanoTime()};
        await(() -> {
            Tally tally = figures.tally();
            if (tally.received() != progress[0]) {
                progress[0] = tally.received();
                progress[1] = clock.nanoTime();
            }
            return tally.lost() == 0
                    || clock.nanoTime() - progress[1] > plan.timing().drainNs();
        });
        intervals.endPhase("drain", outstanding.count());
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

    /** What the lanes' counters say of the run. */
    LaneFigures figures() {
        return figures;
    }

    Pace pace() {
        return pace;
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

    private RunResult result(
            String started,
            Measured measured,
            HarnessLoad harness,
            Histories histories,
            List<Snapshot> snapshots,
            Map<String, String> settings,
            Map<String, String> environment) {
        Tally tally = figures.tallyOfCertain();
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
                isStopped ? 0 : plan.clients() - figures.sum(lane -> lane.ready.value()),
                figures.sum(lane -> lane.trouble.lostCount()),
                firstTrouble.get().isEmpty() ? "no answer" : firstTrouble.get(),
                harness);
        return new RunResult(
                "mqttbench",
                plan.name(),
                started,
                plan.criteria()
                        .judge(seen)
                        .withFaults(figures.faults())
                        .withFaults(found.faults())
                        .noting(figures.notes()),
                settings,
                measured.seconds(),
                measured.intendedPerSecond(),
                measured.sentPerSecond(),
                measured.receivedPerSecond(),
                figures.sum(lane -> lane.ready.value()) / Math.max(1e-9, connectSeconds),
                figures.connections(),
                tally,
                histories.totals(),
                plan.wantsMessages() ? histories.message.percentiles() : histories.connect.percentiles(),
                snapshots,
                harness,
                environment,
                figures.counts(found.counts()),
                List.of());
    }
}
