package dev.avocet.bench.jms.plan;

import dev.avocet.bench.run.PassCriteria;
import dev.avocet.bench.run.RateSchedule;
import java.util.List;
import java.util.Map;

/**
 * A whole run.
 *
 * @param targets brokers: each has all the traffic's clients and destinations, and its part of the rate
 * @param schedule the rate over all brokers
 * @param messages how many each sending thread sends at most; 0: until the time is over
 * @param maxUnderWay senders of a broker wait while more messages than these are on their way; 0: they never wait
 * @param timesCalls whether the durations of {@code send} and {@code commit} are recorded too
 * @param settings what was asked for, for the report
 * @param arguments the command line
 */
public record RunPlan(
        String name,
        List<String> targets,
        TrafficPlan traffic,
        RateSchedule schedule,
        MessageSizes sizes,
        long messages,
        long maxUnderWay,
        boolean timesCalls,
        Timing timing,
        PassCriteria criteria,
        Map<String, String> settings,
        List<String> arguments) {
    public RunPlan {
        targets = List.copyOf(targets);
        arguments = List.copyOf(arguments);
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("target: say which broker, such as --target 127.0.0.1:1883");
        }
    }
}
