package dev.avocet.bench.jms.command;

import dev.avocet.bench.jms.client.UnusableClientException;
import dev.avocet.bench.jms.measure.JmsPart;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.plan.Timing;
import dev.avocet.bench.jms.traffic.ConnectionSource;
import dev.avocet.bench.part.Part;
import dev.avocet.bench.part.Work;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import java.util.List;
import java.util.function.Supplier;

/**
 * A run of jmsbench, of which each party does a share.
 *
 * @param sources makes those of each target; only a machine that does a part needs the client
 */
record JmsWork(RunPlan plan, Supplier<List<ConnectionSource>> sources) implements Work {
    @Override
    public Outline outline() {
        if (plan.warmUpMessages() > 0) {
            throw new IllegalArgumentException(
                    "--warm-up-messages are counted by one jmsbench; in a run of several parties" + " give --warm-up");
        }
        Timing timing = plan.timing();
        return new Outline(
                plan.name(),
                timing.warmUpNs(),
                timing.measureNs(),
                timing.drainNs(),
                timing.intervalNs(),
                plan.schedule(),
                plan.criteria(),
                true);
    }

    @Override
    public Part part(Share share, RunClock clock) {
        try {
            return new JmsPart(plan, sources.get(), share, clock);
        } catch (UnusableClientException unusable) {
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
    }
}
