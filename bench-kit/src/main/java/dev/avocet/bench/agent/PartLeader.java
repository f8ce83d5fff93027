package dev.avocet.bench.agent;

import dev.avocet.bench.agent.Message.ChangeRate;
import dev.avocet.bench.agent.Message.Done;
import dev.avocet.bench.agent.Message.Figures;
import dev.avocet.bench.agent.Message.Forget;
import dev.avocet.bench.agent.Message.Look;
import dev.avocet.bench.agent.Message.Opened;
import dev.avocet.bench.agent.Message.Prepare;
import dev.avocet.bench.agent.Message.Progress;
import dev.avocet.bench.agent.Message.Refused;
import dev.avocet.bench.check.Tally;
import dev.avocet.bench.part.Part;
import dev.avocet.bench.part.Tool;
import dev.avocet.bench.part.Work;
import dev.avocet.bench.part.Work.Outline;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.HarnessWatch;
import dev.avocet.bench.run.Pause;
import dev.avocet.bench.run.PauseRecording;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leads an agent's parts from their first connection to their last figure, and tells the controller. {@link #run}
 * belongs to one thread; the rest may be called by any.
 */
final class PartLeader implements Runnable {
    private static final int MOST_COMMANDS = 64;
    /** A message has no room for any number of them. */
    private static final int MOST_PAUSES = 10_000;

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final Prepare order;
    private final RunClock clock;
    private final Consumer<Message> controller;
    private final BlockingQueue<Message> commands = new ArrayBlockingQueue<>(MOST_COMMANDS);
    private volatile List<Part> parts = List.of();
    private volatile Phase phase = Phase.OPEN;
    private volatile boolean isOpen;
    private volatile @Nullable Long startNs;
    private volatile boolean isToStopSending;
    private volatile boolean isToFinish;
    private volatile boolean isAbandoned;

    /** @param controller told of what happens, by the thread that runs this */
    PartLeader(Prepare order, RunClock ownClock, Consumer<Message> controller) {
        this.order = order;
        clock = ownClock.ahead(order.aheadNs());
        this.controller = controller;
    }

    // --- what the controller says

    void start(long atNs) {
        startNs = atNs;
    }

    void stopSending() {
        isToStopSending = true;
    }

    void finish() {
        isToFinish = true;
    }

    /** The controller has gone: nothing more is of use. */
    void abandon() {
        isAbandoned = true;
        isToFinish = true;
        parts.forEach(Part::abandon);
    }

    /** @param command done while messages flow; what is too much is let go */
    void command(Message command) {
        commands.offer(command);
    }

    /** @param underWay at all other agents */
    void othersUnderWay(long underWay) {
        if (isOpen) {
            long here = underWay(tally());
            parts.forEach(part -> part.othersUnderWay(underWay + here - underWay(part.tally())));
        }
    }

    Progress progress() {
        return isOpen
                ? progressOf(parts.stream().allMatch(Part::isSendingOver))
                : new Progress(phase, Tally.NONE, false);
    }

    /** Looks at the phase last: who is told to end has left that of measuring. */
    private Progress progressOf(boolean isSendingOver) {
        return new Progress(phase, tally(), isSendingOver);
    }

    static long underWay(Tally tally) {
        return tally.expected() - tally.received() + tally.duplicates();
    }

    // --- what is done

    @Override
    public void run() {
        try {
            List<Work> works = order.tasks().stream()
                    .map(task -> Tool.named(task.tool()).read(task.options()))
                    .toList();
            lead(works);
        } catch (IllegalArgumentException mistake) {
            controller.accept(new Refused(String.valueOf(mistake.getMessage())));
        } catch (RuntimeException | LinkageError broken) {
            // The controller must not wait for what will not come.
            controller.accept(new Refused("its part broke: " + broken));
        } finally {
            parts.forEach(Part::close);
        }
    }

    private void lead(List<Work> works) {
        List<Part> made = new ArrayList<>();
        for (int i = 0; i < works.size(); i++) {
            Task task = order.tasks().get(i);
            made.add(works.get(i).part(new Share(order.index(), order.count(), task.sends(), task.receives()), clock));
        }
        parts = List.copyOf(made);
        try (PauseRecording pauses = PauseRecording.start(clock)) {
            lead(works.get(0).outline(), pauses);
        }
    }

    private void lead(Outline outline, PauseRecording pauses) {
        long openNs = clock.nanoTime();
        for (Part part : parts) {
            if (!isAbandoned) {
                part.open();
            }
        }
        isOpen = true;
        double openSeconds = (clock.nanoTime() - openNs) / SECOND_NS;
        controller.accept(new Opened(openSeconds, connections(), failures()));
        await(() -> startNs != null || isToFinish);
        Long start = startNs;
        Measured measured = start == null || isToFinish
                ? new Measured(0, 0, 0, 0, HarnessLoad.NONE)
                : measure(outline, start, pauses);
        Part.Connections connections = connections();
        parts.forEach(Part::close);
        controller.accept(new Done(
                tally(),
                connections,
                measured.seconds(),
                measured.sentPerSecond(),
                measured.receivedPerSecond(),
                measured.backlogGrowth(),
                measured.load(),
                failures(),
                parts.stream().map(Part::counts).toList()));
    }

    private record Measured(
            double seconds, double sentPerSecond, double receivedPerSecond, long backlogGrowth, HarnessLoad load) {
        Measured with(HarnessLoad newLoad) {
            return new Measured(seconds, sentPerSecond, receivedPerSecond, backlogGrowth, newLoad);
        }
    }

    private Measured measure(Outline outline, long start, PauseRecording pauses) {
        parts.forEach(part -> part.expect(start));
        await(() -> clock.nanoTime() - start >= 0 || isToFinish);
        parts.forEach(part -> part.start(start));
        Intervals intervals = new Intervals(clock, start, outline.intervalNs(), parts);
        phase = Phase.WARM_UP;
        long measureNs = start + outline.warmUpNs();
        if (outline.warmUpNs() > 0) {
            watch(intervals, () -> isSendingToEnd() || clock.nanoTime() - measureNs >= 0);
        }
        phase = Phase.MEASURE;
        Measured measured;
        try (HarnessWatch watch = new HarnessWatch(clock, busyThreads(), pauses)) {
            // Without a warm-up, what was sent in these first moments is measured too.
            boolean isWarm = outline.warmUpNs() > 0;
            Tally before = isWarm ? tally() : Tally.NONE;
            long fromNs = isWarm ? clock.nanoTime() : start;
            watch(intervals, () -> isSendingToEnd() || clock.nanoTime() - measureNs >= outline.measureNs());
            HarnessLoad load = watch.load();
            phase = Phase.DRAIN;
            parts.forEach(Part::stopSending);
            Tally after = tally();
            double seconds = Math.max(1, clock.nanoTime() - fromNs) / SECOND_NS;
            measured = new Measured(
                    seconds,
                    (after.sent() - before.sent()) / seconds,
                    (after.received() - before.received()) / seconds,
                    underWay(after) - underWay(before),
                    load);
        }
        watch(intervals, () -> isToFinish);
        return measured.with(longest(pauses.addTo(measured.load(), start)));
    }

    /** Without the shortest of very many pauses. */
    private static HarnessLoad longest(HarnessLoad load) {
        List<Pause> pauses = load.pauses().stream()
                .sorted(Comparator.comparingLong(Pause::durationNs).reversed())
                .limit(MOST_PAUSES)
                .sorted(Comparator.comparingDouble(Pause::seconds))
                .toList();
        return new HarnessLoad(
                load.busiestThreadShare(), load.processors(), load.longestPauseNs(), load.totalPauseNs(), pauses);
    }

    private boolean isSendingToEnd() {
        return isToStopSending || isToFinish;
    }

    private void watch(Intervals intervals, BooleanSupplier isOver) {
        await(() -> {
            boolean ends = isOver.getAsBoolean();
            obey(intervals);
            Figures figures = intervals.look(phase, tally(), connections(), ends);
            if (figures != null) {
                controller.accept(figures);
            }
            return ends;
        });
    }

    private void obey(Intervals intervals) {
        for (Message command = commands.poll(); command != null; command = commands.poll()) {
            if (command instanceof Look) {
                controller.accept(intervals.end(phase, tally(), connections()));
            } else if (command instanceof Forget) {
                intervals.forget();
            } else if (command instanceof ChangeRate change && phase != Phase.DRAIN) {
                parts.forEach(part -> part.changeRate(change.messagesPerSecond(), change.sinceNs()));
            }
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private Tally tally() {
        return parts.stream().map(Part::tally).reduce(Tally.NONE, Tally::plus);
    }

    private Part.Connections connections() {
        return parts.stream().map(Part::connections).reduce(Part.Connections.NONE, Part.Connections::plus);
    }

    private List<String> failures() {
        return parts.stream().flatMap(part -> part.failures().stream()).toList();
    }

    private List<Thread> busyThreads() {
        return parts.stream().flatMap(part -> part.busyThreads().stream()).toList();
    }
}
