package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.destination.Layout;
import dev.avocet.bench.jms.destination.Spread;
import dev.avocet.bench.jms.plan.AcknowledgeMode;
import dev.avocet.bench.jms.plan.ConsumerPlan;
import dev.avocet.bench.jms.plan.FlowPlan;
import dev.avocet.bench.jms.plan.ProducerPlan;
import dev.avocet.bench.jms.plan.ReceiveMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Producers and consumers. */
final class FlowOptions {
    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "queue, topic or shared (a topic with one subscription for all consumers of a name)",
            defaultValue = "queue")
    private DestinationKind kind;

    @Option(
            names = "--name",
            paramLabel = "BASE",
            description = "names of destinations: BASE.00000000 and so on (default: ${DEFAULT-VALUE})",
            defaultValue = "jmsbench")
    private String name;

    @Option(names = "--producer-name", paramLabel = "BASE", description = "for the producers, instead of --name")
    private @Nullable String producerName;

    @Option(
            names = "--consumer-name",
            paramLabel = "BASE",
            description = "for the consumers; for topics also a filter, such as /p/#")
    private @Nullable String consumerName;

    @Option(names = "--producers", paramLabel = "N", description = "threads that send", defaultValue = "1")
    private int producers;

    @Option(names = "--consumers", paramLabel = "N", description = "consumers, each with a session", defaultValue = "1")
    private int consumers;

    @Option(
            names = "--destinations",
            paramLabel = "N",
            description = "dealt to producers and to consumers in turn; with partitions: in each",
            defaultValue = "1")
    private int destinations;

    @Option(
            names = {"--partitions", "-np"},
            paramLabel = "N",
            description = "parts of the topic tree: /p/t becomes /p0/t, /p1/t and so on",
            defaultValue = "0")
    private int partitions;

    @Option(
            names = {"--round-robin", "-rrs"},
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "with -tx and -rx: destinations are dealt in turn")
    private boolean roundRobin;

    @Option(
            names = "-tx",
            paramLabel = "GROUP",
            description = "the producers in short form: cpu:messagesPerCommit:persistent:name:destinationsPerSession"
                    + ":sessionsPerConnection:connectionsPerThread[:threads[:firstNumber]]; cpu is -1")
    private @Nullable String tx;

    @Option(
            names = "-rx",
            paramLabel = "GROUP",
            description = "the consumers in short form: cpu:messagesPerCommit:receiveMode:acknowledgeMode:durable:name:"
                    + "destinationsPerSession:sessionsPerConnection:connectionsPerThread[:threads[:firstNumber]]")
    private @Nullable String rx;

    @Option(
            names = "--persistent",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "the messages are persistent")
    private boolean persistent;

    @Option(
            names = "--producer-commit",
            paramLabel = "N",
            description = "messages of a producer's transaction; 0: none",
            defaultValue = "0")
    private int producerCommit;

    @Option(
            names = "--async-sends",
            paramLabel = "N",
            description =
                    "sends with a completion listener, so many under way for each session; 0: send waits as the client"
                            + " has it",
            defaultValue = "0")
    private int asyncSends;

    @Option(
            names = "--anonymous",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "producers without a destination of their own")
    private boolean anonymous;

    @Option(
            names = "--receive",
            paramLabel = "MODE",
            description = "listener, blocking, timed or no-wait (default: ${DEFAULT-VALUE})",
            defaultValue = "listener")
    private String receive;

    @Option(
            names = "--consumer-commit",
            paramLabel = "N",
            description = "messages of a consumer's transaction; 0: none",
            defaultValue = "0")
    private int consumerCommit;

    @Option(
            names = "--acknowledge",
            paramLabel = "MODE",
            description =
                    "auto, client, dups-ok or the number of a mode that only the client has (default: ${DEFAULT-VALUE})",
            defaultValue = "auto")
    private String acknowledge;

    @Option(
            names = "--acknowledge-every",
            paramLabel = "N",
            description = "messages for each acknowledge() (default: ${DEFAULT-VALUE})",
            defaultValue = "100")
    private int acknowledgeEvery;

    @Option(
            names = "--durable",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "durable subscriptions")
    private boolean durable;

    @Option(
            names = "--work-us",
            paramLabel = "US",
            description = "how long a consumer is busy with a message",
            defaultValue = "0")
    private int workUs;

    String name() {
        return name;
    }

    boolean isPersistent() {
        return persistent;
    }

    FlowPlan plan() {
        boolean isShort = tx != null || rx != null;
        Spread spread = new Spread(partitions, roundRobin || !isShort);
        return new FlowPlan(kind, spread, producers(), consumers());
    }

    private ProducerPlan producers() {
        if (tx != null) {
            ShortForm form = ShortForm.producers(tx);
            return new ProducerPlan(form.layout(), form.isSet(2), form.number(1), asyncSends, anonymous);
        }
        return new ProducerPlan(layout(producerName, producers), persistent, producerCommit, asyncSends, anonymous);
    }

    private ConsumerPlan consumers() {
        if (rx != null) {
            ShortForm form = ShortForm.consumers(rx);
            AcknowledgeMode mode =
                    form.number(1) > 0 ? AcknowledgeMode.TRANSACTED : new AcknowledgeMode(form.number(3));
            return new ConsumerPlan(
                    form.layout(), form.receiveMode(2), form.number(1), mode, acknowledgeEvery, form.isSet(4), workUs);
        }
        return new ConsumerPlan(
                layout(consumerName, consumers),
                mode(receive),
                consumerCommit,
                AcknowledgeMode.of(acknowledge),
                acknowledgeEvery,
                durable,
                workUs);
    }

    private Layout layout(@Nullable String ownName, int threads) {
        return new Layout(ownName == null ? name : ownName, destinations, 1, 1, threads, 0);
    }

    private static ReceiveMode mode(String text) {
        try {
            return ReceiveMode.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "receive '%s': listener, blocking, timed or no-wait", text));
        }
    }
}
