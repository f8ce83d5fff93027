package dev.avocet.bench.agent;

import static java.util.Locale.ROOT;

import dev.avocet.bench.agent.Message.ChangeRate;
import dev.avocet.bench.agent.Message.Done;
import dev.avocet.bench.agent.Message.Figures;
import dev.avocet.bench.agent.Message.Finish;
import dev.avocet.bench.agent.Message.Forget;
import dev.avocet.bench.agent.Message.Look;
import dev.avocet.bench.agent.Message.Opened;
import dev.avocet.bench.agent.Message.Others;
import dev.avocet.bench.agent.Message.Pong;
import dev.avocet.bench.agent.Message.Prepare;
import dev.avocet.bench.agent.Message.Progress;
import dev.avocet.bench.agent.Message.Refused;
import dev.avocet.bench.agent.Message.Start;
import dev.avocet.bench.agent.Message.StopSending;
import dev.avocet.bench.agent.RemoteAgent.Event;
import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.part.CommandedRun;
import dev.avocet.bench.part.LiveRun;
import dev.avocet.bench.part.Work.Outline;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.Inspection;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Leads a run of several agents: prepares all, starts them at one moment, ends them when what was sent by any has come
 * to any, and makes one result. One thread calls {@link #run}, once; another may {@link #stop} it.
 */
final class Controller implements CommandedRun {
    private static final int QUEUE = 10_000;
    private static final int MOST_COMMANDS = 64;
    private static final long LOOK_MS = 5;
    private static final long NOTICE_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SENDERS_END_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PONGS_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSING_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int PONGS = 20;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Assignment assignment;
    private final Outline outline;
    private final List<RemoteAgent> agents;
    private final RunClock clock;
    private final MergedRun merged;
    private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(QUEUE);
    private final BlockingQueue<Consumer<LiveRun>> commands = new ArrayBlockingQueue<>(MOST_COMMANDS);
    private final LiveRun live = new Live();
    private Inspection inspection = Inspection.NONE;
    private volatile boolean isStopped;
    private volatile boolean isOver;
    private boolean isStopSent;
    private long startNs;
    private volatile long startedNs;
    private long lastReceived = -1;
    private long lastReceivedNs;

    /** @param agents connected, and no other controller's */
    Controller(
            Assignment assignment,
            List<RemoteAgent> agents,
            RunClock clock,
            MergedRun merged,
            Consumer<Snapshot> onSnapshot) {
        this.assignment = assignment;
        outline = assignment.outline();
        this.agents = List.copyOf(agents);
        this.clock = clock;
        this.merged = merged;
        merged.watch(this.agents, onSnapshot);
    }

    /** Has the server's own figures looked at; it has begun already. To be called before it runs. */
    void inspectWith(Inspection newInspection) {
        inspection = newInspection;
    }

    @Override
    public double seconds() {
        return startedNs == 0 ? 0 : (clock.nanoTime() - startedNs) / SECOND_NS;
    }

    @Override
    public boolean submit(Consumer<LiveRun> command) {
        return !isOver && commands.offer(command);
    }

    @Override
    public void stop() {
        isStopped = true;
    }

    /** @throws IllegalArgumentException if an agent cannot do what it is to do */
    RunResult run() {
        startedNs = clock.nanoTime();
        for (RemoteAgent agent : agents) {
            Thread thread = new Thread(() -> agent.listen(events), "agent " + agent.name());
            thread.setDaemon(true);
            thread.start();
        }
        for (int i = 0; i < agents.size(); i++) {
            agents.get(i)
                    .tell(new Prepare(
                            assignment.tasks(),
                            i,
                            agents.size(),
                            agents.get(i).offset().aheadNs()));
        }
        await(() -> agents.stream().allMatch(agent -> agent.opened() != null));
        boolean isReady = agents.stream()
                .allMatch(agent ->
                        agent.opened() != null && agent.opened().failures().isEmpty());
        if (isReady && !isEnding()) {
            measure();
        }
        finish();
        return merged.result(isStopped);
    }

    private void measure() {
        startNs = clock.nanoTime() + NOTICE_NS;
        tell(new Start(startNs));
        long sendingEndsNs = startNs + outline.warmUpNs() + outline.measureNs() + SENDERS_END_NS;
        await(() -> {
            if (clock.nanoTime() - sendingEndsNs > 0) {
                merged.fail("a sender does not end: its call does not return, or it has left and does not come back");
                return true;
            }
            return agents.stream().allMatch(agent -> agent.progress().phase() == Phase.DRAIN) && isSendingOver();
        });
        isOver = true;
        lastReceivedNs = clock.nanoTime();
        await(this::isDrained);
        inspect();
        for (int i = 0; i < PONGS; i++) {
            agents.forEach(RemoteAgent::ping);
        }
        long pongsNs = clock.nanoTime() + PONGS_NS;
        await(() -> clock.nanoTime() - pongsNs > 0 || agents.stream().allMatch(agent -> agent.pongs() >= PONGS));
    }

    /** Meanwhile the agents must hear of the controller. */
    private void inspect() {
        if (inspection == Inspection.NONE) {
            return;
        }
        CompletableFuture<Inspection.Findings> looking = CompletableFuture.supplyAsync(inspection::end);
        await(looking::isDone);
        try {
            if (looking.isDone()) {
                merged.found(looking.join());
            }
        } catch (CompletionException unable) {
            merged.fail(String.valueOf(unable.getCause().getMessage()));
        }
    }

    /** Also those who were lost may be owed something: what they had not told is let go. */
    private void finish() {
        tell(new StopSending());
        tell(new Finish());
        long patienceNs = clock.nanoTime() + CLOSING_NS;
        while (agents.stream().anyMatch(agent -> agent.done() == null && agent.fault() == null)) {
            look();
            if (clock.nanoTime() - patienceNs > 0) {
                agents.stream().filter(agent -> agent.done() == null).forEach(agent -> lose(agent, "it does not end"));
            }
        }
        agents.forEach(RemoteAgent::close);
    }

    private boolean isSendingOver() {
        return agents.stream().allMatch(agent -> agent.progress().isSendingOver());
    }

    /** Nothing is missing and nothing comes any more, or nothing has come for as long as there is patience. */
    private boolean isDrained() {
        Tally tally = tally();
        long nowNs = clock.nanoTime();
        if (tally.received() != lastReceived) {
            lastReceived = tally.received();
            lastReceivedNs = nowNs;
        }
        return nowNs - lastReceivedNs > (tally.lost() == 0 ? QUIET_NS : outline.drainNs());
    }

    private boolean isEnding() {
        return isStopped || agents.stream().anyMatch(agent -> agent.fault() != null);
    }

    private void await(BooleanSupplier condition) {
        while (!isEnding() && !condition.getAsBoolean()) {
            look();
        }
    }

    private Tally tally() {
        return agents.stream().map(RemoteAgent::tally).reduce(Tally.NONE, Tally::plus);
    }

    private void tell(Message message) {
        agents.forEach(agent -> agent.tell(message));
    }

    // --- what agents say

    private void look() {
        try {
            Event event = events.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (event != null) {
                on(event);
            }
            doCommands();
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
            isStopped = true;
        }
    }

    /** While messages flow: those that come before wait. */
    private void doCommands() {
        if (startNs == 0 || clock.nanoTime() - startNs < 0 || isOver) {
            return;
        }
        for (Consumer<LiveRun> command = commands.poll(); command != null; command = commands.poll()) {
            command.accept(live);
        }
    }

    private final class Live implements LiveRun {
        @Override
        public void report() {
            tell(new Look());
        }

        @Override
        public Map<String, LatencySummary> latencies() {
            return merged.summaries();
        }

        @Override
        public void resetLatencies() {
            merged.forgetLatencies();
            tell(new Forget());
        }

        @Override
        public void changeRate(double messagesPerSecond) {
            long nowNs = clock.nanoTime();
            merged.changeRate(RateSchedule.fixed(messagesPerSecond), nowNs - startNs);
            tell(new ChangeRate(messagesPerSecond, nowNs));
        }

        @Override
        public String firstTrouble() {
            return merged.firstTrouble();
        }
    }

    private void on(Event event) {
        RemoteAgent from = event.from();
        Message message = event.message();
        if (message == null) {
            lose(from, event.fault());
        } else if (message instanceof Progress progress) {
            onProgress(from, progress);
        } else if (message instanceof Figures figures) {
            merged.add(from, figures);
        } else if (message instanceof Pong pong) {
            from.onPong(pong, event.atNs());
        } else if (message instanceof Opened opened) {
            from.onOpened(opened);
        } else if (message instanceof Done done) {
            from.onDone(done);
        } else if (message instanceof Refused refused) {
            onRefused(from, refused.why());
        } else {
            lose(from, "it said what agents do not say");
        }
    }

    /** Before it began that is a mistake of the user's; afterwards the agent is lost. */
    private void onRefused(RemoteAgent from, String why) {
        if (startNs != 0) {
            lose(from, why);
            return;
        }
        agents.forEach(RemoteAgent::close);
        throw new IllegalArgumentException(String.format(ROOT, "agent %s: %s", from.name(), why));
    }

    private void onProgress(RemoteAgent from, Progress progress) {
        from.onProgress(progress);
        from.tell(new Others(PartLeader.underWay(tally()) - PartLeader.underWay(progress.tally())));
        boolean isAllSent = progress.phase() != Phase.OPEN
                && agents.stream().noneMatch(agent -> agent.progress().phase() == Phase.OPEN)
                && isSendingOver();
        if (isAllSent && !isStopSent) {
            isStopSent = true;
            merged.isEndedByCount(
                    agents.stream().noneMatch(agent -> agent.progress().phase() == Phase.DRAIN));
            tell(new StopSending());
        }
    }

    private void lose(RemoteAgent agent, String why) {
        if (agent.done() == null && agent.fault() == null) {
            agent.onFault(why);
            agent.close();
            Phase phase = agent.progress().phase();
            double seconds = (clock.nanoTime() - (startNs == 0 ? startedNs : startNs)) / SECOND_NS;
            merged.lost(String.format(
                    ROOT,
                    "agent %s was lost %.1f s after the %s, at %s: %s",
                    agent.name(),
                    seconds,
                    startNs == 0 ? "preparation began" : "start",
                    phase.text(),
                    why));
        }
    }
}
