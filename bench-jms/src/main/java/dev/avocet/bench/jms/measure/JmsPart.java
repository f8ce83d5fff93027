package dev.avocet.bench.jms.measure;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.traffic.ConnectionSource;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.part.Part;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** One party's share of a run of jmsbench: some of its threads. */
public final class JmsPart implements Part {
    private final RunPlan plan;
    private final Failures failures = new Failures();
    private final AllTraffic traffic;
    private final AtomicLong refused = new AtomicLong();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    /**
     * @param sources one for each target of the plan
     * @throws IllegalArgumentException if the sides of the plan do not fit each other
     */
    public JmsPart(RunPlan plan, List<ConnectionSource> sources, Share share, RunClock clock) {
        this.plan = plan;
        traffic = AllTraffic.of(plan, sources, share, clock, failures);
    }

    @Override
    public void open() {
        try {
            traffic.open();
        } catch (JMSException notOpened) {
            refused.incrementAndGet();
            failures.add("open", notOpened);
        }
    }

    @Override
    public void expect(long startNs) {
        traffic.expect(startNs);
    }

    @Override
    public void start(long startNs) {
        traffic.measureFrom(startNs + plan.timing().warmUpNs());
        traffic.start(startNs);
    }

    @Override
    public void stopSending() {
        traffic.stopSending();
    }

    @Override
    public boolean isSendingOver() {
        return traffic.isSendingOver();
    }

    /** It cannot be asked for: jmsbench takes no commands. */
    @Override
    public void changeRate(double messagesPerSecond, long sinceNs) {
        throw new UnsupportedOperationException("jmsbench sends at one rate");
    }

    @Override
    public Tally tally() {
        return traffic.tally();
    }

    @Override
    public Connections connections() {
        return new Connections(
                traffic.connections(),
                refused.get(),
                traffic.connectionsLost(),
                failures.texts().stream().findFirst().orElse(""));
    }

    @Override
    public void othersUnderWay(long messages) {
        traffic.othersUnderWay(messages);
    }

    @Override
    public Map<String, List<LatencyRecorder>> latencies() {
        return traffic.recorders();
    }

    /** A thread that sends as fast as it goes is busy all the time; that says nothing against the figures. */
    @Override
    public List<Thread> busyThreads() {
        return plan.schedule().isUnpaced() ? List.of() : traffic.threads();
    }

    @Override
    public List<String> failures() {
        return failures.texts();
    }

    @Override
    public Map<String, Map<String, Long>> counts() {
        return traffic.counts();
    }

    /** What it has opened is closed by {@link #close}; a call of the client's ends as the client has it. */
    @Override
    public void abandon() {
        traffic.stopSending();
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            traffic.stopSending();
            traffic.close();
        }
    }
}
