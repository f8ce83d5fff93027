package dev.avocet.bench.jms.command;

import dev.avocet.bench.workload.Workload;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A workload by the name that was asked for.
 *
 * @param name in capitals, or the file's
 */
record NamedWorkload(String name, Workload workload) {
    static NamedWorkload find(String asked) {
        Workload workload = new WorkloadLibrary(JmsBench.class, JmsBench.WORKLOADS).find(asked);
        return new NamedWorkload(String.valueOf(workload.name()), workload);
    }

    /** Its options at some size, by their names without dashes. */
    Map<String, String> options(double scale) {
        Map<String, String> options = new LinkedHashMap<>();
        List<String> arguments = WorkloadLibrary.arguments(workload, scale);
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            options.put(argument.substring(2, equals), argument.substring(equals + 1));
        }
        return options;
    }
}
