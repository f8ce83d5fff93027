package dev.avocet.bench.workload;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A workload as its file has it.
 *
 * @param name its name is that of its file, without {@code .yaml}
 * @param what it does, in a sentence
 * @param origin where it comes from: document, table and machine
 * @param also other names that it is found by
 * @param tools which harnesses can do it: {@code mqttbench}, {@code jmsbench}
 * @param options what it is made of: long options of the tool, without the dashes, and their values
 * @param consumerOptions where the consumers are another tool's: the options of that one
 * @param scaled which of the options {@code --scale} multiplies
 */
public record Workload(
        @JsonProperty("name") @Nullable String name,
        @JsonProperty(value = "what", required = true) String what,
        @JsonProperty(value = "origin", required = true) String origin,
        @JsonProperty(value = "also") @Nullable List<String> also,
        @JsonProperty(value = "tools", required = true) List<String> tools,
        @JsonProperty(value = "options", required = true) Map<String, String> options,
        @JsonProperty(value = "consumer-options") @Nullable Map<String, String> consumerOptions,
        @JsonProperty(value = "scaled") @Nullable List<String> scaled) {
    Workload named(String newName) {
        return new Workload(
                newName, what, origin, others(), tools, options, consumerOptions, scaled == null ? List.of() : scaled);
    }

    /** The other names; none is an empty list. */
    public List<String> others() {
        return also == null ? List.of() : also;
    }

    /** With the options of those who consume. */
    public Workload ofConsumers() {
        return new Workload(
                name, what, origin, also, tools, consumerOptions == null ? Map.of() : consumerOptions, null, scaled);
    }
}
