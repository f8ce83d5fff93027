package dev.avocet.bench.mqtt;

import dev.avocet.bench.mqtt.engine.RunPlan;
import dev.avocet.bench.mqtt.engine.RunPlan.Stormers;
import dev.avocet.bench.mqtt.engine.RunPlan.Storms;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** The options of runs in which clients leave and come back. */
final class StormOptions {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Option(
            names = "--storm-every",
            paramLabel = "SECONDS",
            description = "has clients leave in waves, this far apart, and come back; 0 for never (default)")
    private double everySeconds;

    @Option(
            names = "--storm-who",
            paramLabel = "consumers|producers|idle|all",
            description = "who takes part (default: ${DEFAULT-VALUE})")
    private String who = "consumers";

    @Option(
            names = "--storm-clients",
            paramLabel = "N",
            description = "how many leave in a wave (default: all of these)")
    private int clients = Integer.MAX_VALUE;

    @Option(
            names = "--storm-leave",
            paramLabel = "disconnect|close",
            description = "whether they say DISCONNECT or only close their sockets (default: ${DEFAULT-VALUE})")
    private String leave = "close";

    @Option(
            names = "--storm-away",
            paramLabel = "SECONDS",
            description = "how long they stay away at least (default: ${DEFAULT-VALUE})")
    private double awaySeconds;

    @Option(
            names = "--storm-rate",
            paramLabel = "N",
            description = "how many come back per second; 0 for all at once (default)")
    private double returnsPerSecond;

    RunPlan applyTo(RunPlan plan) {
        if (everySeconds <= 0) {
            return plan;
        }
        if (!plan.own().clients().isEmpty()) {
            throw new IllegalArgumentException("clients of a list stay; leave out --storm-every or --client-list");
        }
        Stormers stormers = stormers();
        boolean hasConsumers = (stormers == Stormers.CONSUMERS || stormers == Stormers.ALL)
                && plan.consumers().filters().clients() > 0;
        boolean hasProducers = (stormers == Stormers.PRODUCERS || stormers == Stormers.ALL)
                && plan.producers().topics().clients() > 0;
        if (hasConsumers
                && (plan.consumers().isClean()
                        || plan.consumers().qos() == 0
                        || plan.producers().qos() == 0)) {
            throw new IllegalArgumentException("subscribers that leave lose what is sent meanwhile;"
                    + " give --persistent and --qos 1 or 2, or --storm-who producers or idle");
        }
        if (plan.requests() != null && hasProducers) {
            throw new IllegalArgumentException("requesters that leave lose their replies; give --storm-who consumers");
        }
        if (hasProducers && !leave.equals("disconnect")) {
            throw new IllegalArgumentException("publishers that only close their sockets lose what is under way;"
                    + " give --storm-leave disconnect");
        }
        return plan.withStorms(new Storms(
                (long) (everySeconds * SECOND_NS),
                stormers,
                clients == Integer.MAX_VALUE ? plan.clients() : clients,
                isClean(),
                (long) (awaySeconds * SECOND_NS),
                returnsPerSecond));
    }

    private boolean isClean() {
        return switch (leave) {
            case "disconnect" -> true;
            case "close" -> false;
            default -> throw new IllegalArgumentException("--storm-leave is disconnect or close, not " + leave);
        };
    }

    private Stormers stormers() {
        try {
            return Stormers.valueOf(who.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("--storm-who is consumers, producers, idle or all, not " + who, unknown);
        }
    }
}
