package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.RateChanges;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.Share;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** At what rate a run's lanes send, each its part by its publishers. Owned by the thread of the run. */
final class Pace {
    private final RunPlan plan;
    private final Share share;

    /** Filled before the run connects. */
    private final List<Lane> lanes;

    private final RateChanges changes = new RateChanges();

    Pace(RunPlan plan, Share share, List<Lane> lanes) {
        this.plan = plan;
        this.share = share;
        this.lanes = lanes;
    }

    /** @param nowNs when the schedule begins */
    void start(long nowNs) {
        changes.add(plan.load().schedule(), nowNs);
        pace(plan.load().schedule(), nowNs, Lane::startSending);
    }

    /** From now on another rate, which counts from a moment that is a short time ago. */
    void change(double messagesPerSecond, long sinceNs) {
        RateSchedule schedule = RateSchedule.fixed(messagesPerSecond);
        changes.add(schedule, sinceNs);
        pace(schedule, sinceNs, Lane::changePace);
    }

    /** How many messages the rate makes; 0 where the run is about none. */
    double intendedBetween(long fromNs, long toNs) {
        return plan.wantsMessages() ? changes.messagesBetween(fromNs, toNs) : 0;
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
}
