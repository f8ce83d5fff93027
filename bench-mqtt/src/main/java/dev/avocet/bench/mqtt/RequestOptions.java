package dev.avocet.bench.mqtt;

import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Requests;
import picocli.CommandLine.Option;

/** The options of runs with requests and replies. */
final class RequestOptions {
    private static final String TOPIC = "request/{p}/{i}.{t}";
    private static final String FILTER = "$share/responders/request/{p}/#";

    @Option(
            names = "--requesters",
            paramLabel = "N",
            description = {
                "clients that send requests and get the replies, instead of --producers; latency is that of the round trip.",
                "MQTT 5 uses response topics and correlation data. --topic is then " + TOPIC + " unless it is given,"
                        + " --filter " + FILTER
            })
    private int requesters;

    @Option(names = "--responders", paramLabel = "N", description = "clients that reply, instead of --consumers")
    private int responders;

    @Option(
            names = "--reply-prefix",
            description = "replies go to this and the request's topic name (default: ${DEFAULT-VALUE})")
    private String replyPrefix = "reply/";

    /** Whether this run is one of requests. */
    private boolean isWanted() {
        return requesters + responders > 0;
    }

    void applyTo(RunOptions options) {
        if (!isWanted()) {
            return;
        }
        if (options.producers + options.consumers > 0) {
            throw new IllegalArgumentException(
                    "--requesters and --responders take the place of --producers and --consumers; give one pair of them");
        }
        if (requesters < 1 || responders < 1) {
            throw new IllegalArgumentException("requests need at least one of --requesters and one of --responders");
        }
        options.producers = requesters;
        options.consumers = responders;
        options.topic = options.topic.equals(RunOptions.TOPIC) ? TOPIC : options.topic;
        options.filter = options.filter.equals(RunOptions.FILTER) ? FILTER : options.filter;
    }

    RunPlan applyTo(RunPlan plan) {
        return isWanted() ? plan.withRequests(new Requests(replyPrefix)) : plan;
    }
}
