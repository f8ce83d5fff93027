package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.plan.ReplyTo;
import dev.avocet.bench.jms.plan.RequestPlan;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Requesters and responders, instead of producers and consumers. */
final class RequestOptions {
    @Option(
            names = "--requesters",
            paramLabel = "N",
            description =
                    "threads that send a request and wait for the reply; above 0: round trips instead of producers",
            defaultValue = "0")
    private int requesters;

    @Option(names = "--responders", paramLabel = "N", description = "listeners that reply", defaultValue = "1")
    private int responders;

    @Option(
            names = "--queue-pairs",
            paramLabel = "N",
            description = "pairs of a request queue and a reply queue",
            defaultValue = "1")
    private int pairs;

    @Option(
            names = "--reply-to",
            paramLabel = "HOW",
            description = "selector: from a shared queue, by JMSCorrelationID; temporary-queue: one for each requester"
                    + " (default: ${DEFAULT-VALUE})",
            defaultValue = "selector")
    private String replyTo;

    @Option(
            names = "--request-commit",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "both sides commit each message")
    private boolean transacted;

    @Option(
            names = "--reply-timeout-ms",
            paramLabel = "MS",
            description = "after so long a reply is lost (default: ${DEFAULT-VALUE})",
            defaultValue = "10000")
    private int replyTimeoutMs;

    boolean isAsked() {
        return requesters > 0;
    }

    RequestPlan plan(String base, boolean persistent) {
        return new RequestPlan(base, pairs, requesters, responders, replyTo(), persistent, transacted, replyTimeoutMs);
    }

    private ReplyTo replyTo() {
        try {
            return ReplyTo.valueOf(replyTo.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "reply to '%s': selector or temporary-queue", replyTo));
        }
    }
}
