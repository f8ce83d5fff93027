package dev.avocet.bench.part;

import dev.avocet.bench.run.PassCriteria;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;

/** A run as the options ask for it. */
public interface Work {
    Outline outline();

    /** @param clock one that all parties of the run have in common */
    Part part(Share share, RunClock clock);

    /**
     * What all parties of a run have to agree on.
     *
     * @param schedule the rate of all parties together
     * @param wantsMessages false when nothing but connections is asked for
     */
    record Outline(
            String name,
            long warmUpNs,
            long measureNs,
            long drainNs,
            long intervalNs,
            RateSchedule schedule,
            PassCriteria criteria,
            boolean wantsMessages) {}
}
