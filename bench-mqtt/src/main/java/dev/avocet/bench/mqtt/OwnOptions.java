package dev.avocet.bench.mqtt;

import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Own;
import dev.avocet.bench.mqtt.files.ClientList;
import dev.avocet.bench.mqtt.files.ListedClient;
import dev.avocet.bench.mqtt.files.MessageFiles;
import dev.avocet.bench.mqtt.files.Positions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of runs whose clients or messages stand in files. */
final class OwnOptions {
    @Option(
            names = {"--client-list", "-cl"},
            paramLabel = "FILE",
            description = "who connects, subscribes and publishes to what, one by one: JSON, or YAML by its name")
    private @Nullable Path clients;

    @Option(
            names = {"--client-range", "-crange"},
            paramLabel = "FIRST-LAST",
            description =
                    "who of the list connects, by position from 1 on, several ranges with commas between (default: all);"
                            + " they keep their names, and the others are not there")
    private @Nullable String range;

    @Option(
            names = {"--messages", "-M"},
            paramLabel = "FILE",
            description = "what is published, in turn, instead of --size: JSON, YAML, or a folder of such files")
    private @Nullable Path messages;

    void applyTo(RunOptions options) {
        if (clients == null) {
            if (range != null) {
                throw new IllegalArgumentException("--client-range is of a list; give --client-list too");
            }
            return;
        }
        if (options.producers + options.consumers + options.idle > 0) {
            throw new IllegalArgumentException("--client-list says who connects; leave out --producers, --consumers,"
                    + " --idle, --requesters and --responders, or the list");
        }
        options.isListed = true;
    }

    /** Reads the files. */
    RunPlan applyTo(RunPlan plan) {
        if (clients == null && messages == null) {
            return plan;
        }
        if (messages != null && plan.requests() != null) {
            throw new IllegalArgumentException(
                    "requests are made by the harness, or replies could not be told apart;" + " leave out --messages");
        }
        List<ListedClient> listed = clients == null ? List.of() : ClientList.read(clients);
        return plan.withOwn(new Own(
                listed,
                messages == null ? List.of() : MessageFiles.read(messages),
                range == null ? Positions.ALL : Positions.of(range).within(listed.size())));
    }
}
