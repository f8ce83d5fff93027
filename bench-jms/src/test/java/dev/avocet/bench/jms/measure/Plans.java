package dev.avocet.bench.jms.measure;

import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.destination.Layout;
import dev.avocet.bench.jms.destination.Spread;
import dev.avocet.bench.jms.plan.AcknowledgeMode;
import dev.avocet.bench.jms.plan.ConsumerPlan;
import dev.avocet.bench.jms.plan.FlowPlan;
import dev.avocet.bench.jms.plan.MessageSizes;
import dev.avocet.bench.jms.plan.ProducerPlan;
import dev.avocet.bench.jms.plan.ReceiveMode;
import dev.avocet.bench.jms.plan.ReplyTo;
import dev.avocet.bench.jms.plan.RequestPlan;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.plan.Timing;
import dev.avocet.bench.jms.plan.TrafficPlan;
import dev.avocet.bench.jms.traffic.ConnectionSource;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.PassCriteria;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Small runs that end with a number of messages, not with a time. */
public final class Plans {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(45);

    /** On a busy machine the harness may be held up, and that is not the matter of these tests. */
    private static final PassCriteria HARNESS_AT_LEISURE = new PassCriteria(0.99, 0, false, true, 0, 0, 1, 2, 0);

    private Plans() {}

    public static FlowPlan flow(DestinationKind kind, String name, int producers, int consumers, int destinations) {
        return new FlowPlan(
                kind,
                new Spread(0, true),
                new ProducerPlan(layout(name, producers, destinations), false, 0, 0, false),
                consumers(layout(name, consumers, destinations), ReceiveMode.LISTENER, 0, AcknowledgeMode.AUTO));
    }

    public static Layout layout(String name, int threads, int destinations) {
        return new Layout(name, destinations, 1, 1, threads, 0);
    }

    public static ConsumerPlan consumers(Layout layout, ReceiveMode receive, int commit, AcknowledgeMode mode) {
        return new ConsumerPlan(layout, receive, commit, mode, 10, false, 0);
    }

    public static RequestPlan requests(ReplyTo replyTo, int requesters, int pairs) {
        return new RequestPlan("requests", pairs, requesters, pairs, replyTo, false, false, 50);
    }

    public static RunPlan run(TrafficPlan traffic, long messages, String size, int targets) {
        return run(
                traffic, messages, size, targets, new Timing(0, LONG_NS, TimeUnit.MILLISECONDS.toNanos(100), LONG_NS));
    }

    public static RunPlan run(TrafficPlan traffic, long messages, String size, int targets, Timing timing) {
        return new RunPlan(
                "test",
                Collections.nCopies(targets, "somewhere"),
                traffic,
                RateSchedule.unpaced(),
                MessageSizes.of(size),
                messages,
                2_000,
                0,
                0,
                false,
                true,
                timing,
                HARNESS_AT_LEISURE,
                Map.of(),
                List.of());
    }

    public static RunResult execute(RunPlan plan, List<ConnectionSource> sources) {
        return new JmsRun(plan, sources, RunClock.system(), snapshot -> {}).run();
    }
}
