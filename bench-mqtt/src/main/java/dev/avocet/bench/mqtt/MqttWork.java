package dev.avocet.bench.mqtt;

import dev.avocet.bench.mqtt.engine.MqttPart;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.part.Part;
import dev.avocet.bench.part.Work;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;

/** A run of mqttbench, of which each party does a share. */
record MqttWork(RunPlan plan) implements Work {
    @Override
    public Outline outline() {
        plan.requireThatPartiesCanCheck();
        RunPlan.Timing timing = plan.timing();
        return new Outline(
                plan.name(),
                timing.warmUpNs(),
                timing.measureNs(),
                timing.drainNs(),
                timing.snapshotNs(),
                plan.load().schedule(),
                plan.criteria(),
                plan.wantsMessages());
    }

    @Override
    public Part part(Share share, RunClock clock) {
        return new MqttPart(plan, share, clock);
    }
}
