package dev.avocet.bench.mqtt;

import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Stormers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Storms;
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
            names = "--storm-resend",
            description =
                    "publishers that close their sockets keep their sessions, and send again with DUP what was not acknowledged"
                            + " (QoS 1 and 2); without it they do not, and what was under way may come or not")
    private boolean resends;

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
            if (resends) {
                throw new IllegalArgumentException("--storm-resend is for storms; give --storm-every too");
            }
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
        boolean isClean = isClean();
        if (resends && (!hasProducers || isClean || plan.producers().qos() == 0)) {
            throw new IllegalArgumentException(
                    "--storm-resend is for publishers that close their sockets at QoS 1 or 2;"
                            + " give --storm-who producers or all, --storm-leave close and --qos, or leave it out");
        }
        if (hasProducers && !isClean) {
            requireThatItCanBeChecked(plan);
        }
        return plan.withStorms(new Storms(
                (long) (everySeconds * SECOND_NS),
                stormers,
                clients == Integer.MAX_VALUE ? plan.clients() : clients,
                isClean,
                (long) (awaySeconds * SECOND_NS),
                returnsPerSecond,
                resends));
    }

    /** Of what is under way when a publisher closes its socket. */
    private void requireThatItCanBeChecked(RunPlan plan) {
        if (!plan.own().messages().isEmpty()) {
            throw new IllegalArgumentException(
                    "of publishers that close their sockets only messages that the harness makes can be"
                            + " checked; leave out --messages, or give --storm-leave disconnect");
        }
        if (!resends
                && (plan.consumers().isShared() || !plan.consumers().elsewhere().isEmpty())) {
            throw new IllegalArgumentException(
                    "where subscribers share, or are elsewhere, no run can tell which of the messages came that"
                            + " were under way when publishers closed their sockets; give --storm-resend (QoS 1 or 2)"
                            + " or --storm-leave disconnect");
        }
        if (plan.producers().qos() == 0 && plan.load().window() > 0) {
            throw new IllegalArgumentException(
                    "at QoS 0 no run can tell how much was lost when publishers closed their sockets, so a"
                            + " window would fill up with it; give a --rate without --window");
        }
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
