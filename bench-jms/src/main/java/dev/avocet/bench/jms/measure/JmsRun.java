package dev.avocet.bench.jms.measure;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.plan.Timing;
import dev.avocet.bench.jms.traffic.ConnectionSource;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.run.HarnessWatch;
import dev.avocet.bench.run.PauseRecording;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One run. The thread that calls {@link #run} leads it. */
public final class JmsRun {
    private static final long SENDERS_END_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RunPlan plan;
    private final RunClock clock;
    private final Consumer<Snapshot> onSnapshot;
    private final Failures failures = new Failures();
    private final AllTraffic traffic;
    private volatile boolean isStopped;

    /**
     * @param sources one for each target of the plan
     * @param onSnapshot gets each interval when it ends
     * @throws IllegalArgumentException if the sides of the plan do not fit each other
     */
    public JmsRun(RunPlan plan, List<ConnectionSource> sources, RunClock clock, Consumer<Snapshot> onSnapshot) {
        this.plan = plan;
        this.clock = clock;
        this.onSnapshot = onSnapshot;
        traffic = AllTraffic.of(plan, sources, Share.WHOLE, clock, failures);
    }

    /** Ends warming up, measuring or draining now; the result is of what was until then. Any thread. */
    public void stop() {
        isStopped = true;
    }

    /** Does it all, and closes what it opened. */
    public RunResult run() {
        try (PauseRecording pauses = PauseRecording.start(clock)) {
            return run(pauses);
        }
    }

    private RunResult run(PauseRecording pauses) {
        RunReport report = new RunReport(plan, clock, pauses);
        try {
            traffic.open();
            report.opened(traffic.connections());
            measure(report, pauses);
        } catch (JMSException refused) {
            report.refused();
            failures.add("open", refused);
        } finally {
            traffic.close();
        }
        return report.result(traffic, failures);
    }

    private void measure(RunReport report, PauseRecording pauses) {
        Timing timing = plan.timing();
        boolean isWarm = timing.warmUpNs() > 0 || plan.warmUpMessages() > 0;
        long startNs = clock.nanoTime();
        traffic.expect(startNs);
        if (!isWarm) {
            traffic.measureFrom(startNs);
        }
        traffic.start(startNs);
        Sampler sampler = new Sampler(traffic, clock, startNs, timing.intervalNs(), onSnapshot);
        report.sampledBy(sampler);
        if (isWarm) {
            sampler.await("warm-up", startNs + timing.warmUpNs(), this::isSendingOver);
            awaitWarmUpMessages(sampler);
            sampler.forgetWarmUp();
            traffic.measureFrom(clock.nanoTime());
        }
        try (HarnessWatch watch = new HarnessWatch(clock, watchedThreads(), pauses)) {
            // Beginning to watch takes a moment, which is not to be taken from the measurement.
            long beginNs = isWarm ? clock.nanoTime() : startNs;
            report.begin(isWarm ? traffic.tallies() : List.of(), startNs, beginNs);
            sampler.await("measure", beginNs + timing.measureNs(), this::isSendingOver);
            report.end(traffic.tallies(), watch.load(), plan.messages() > 0 && traffic.isSendingOver());
        }
        traffic.stopSending();
        drain(sampler);
        sampler.take("drain");
    }

    /** Not longer than it is to be measured afterwards. */
    private void awaitWarmUpMessages(Sampler sampler) {
        long wanted = plan.warmUpMessages();
        if (wanted > 0) {
            long untilNs = clock.nanoTime() + plan.timing().measureNs();
            sampler.await("warm-up", untilNs, () -> traffic.tally().received() >= wanted || isSendingOver());
            long received = traffic.tally().received();
            if (received < wanted && !isStopped) {
                failures.add(String.format(
                        ROOT,
                        "warm-up: %d of the %d messages had come that were to come before it is measured",
                        received,
                        wanted));
            }
        }
    }

    private boolean isSendingOver() {
        return isStopped || traffic.isSendingOver();
    }

    /** A thread that sends as fast as it goes is busy all the time; that says nothing against the figures. */
    private List<Thread> watchedThreads() {
        return plan.schedule().isUnpaced() ? List.of() : traffic.threads();
    }

    private void drain(Sampler sampler) {
        sampler.await("drain", clock.nanoTime() + SENDERS_END_NS, traffic::isSendingOver);
        if (!traffic.isSendingOver()) {
            failures.add("a sending thread does not end: its call does not return");
        }
        Tally before;
        Tally now = traffic.tally();
        do {
            before = now;
            sampler.await(
                    "drain",
                    clock.nanoTime() + plan.timing().drainNs(),
                    () -> isStopped || traffic.tally().lost() == 0);
            now = traffic.tally();
        } while (!isStopped && now.lost() > 0 && now.received() > before.received());
        // What comes twice comes now.
        do {
            before = now;
            sampler.await("drain", clock.nanoTime() + QUIET_NS, () -> false);
            now = traffic.tally();
        } while (now.received() > before.received());
    }
}
