package dev.avocet.bench.mqtt;

import dev.avocet.bench.workload.Workload;
import dev.avocet.bench.workload.WorkloadException;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.util.ArrayList;
import java.util.List;

/** Makes {@code run NAME options} into {@code run} with the workload's options before the others, which win. */
final class WorkloadArguments {
    private static final String SCALE = "--scale";

    private final WorkloadLibrary library;

    WorkloadArguments(WorkloadLibrary library) {
        this.library = library;
    }

    List<String> expand(List<String> arguments) {
        boolean namesOne = arguments.size() > 1
                && arguments.get(0).equals("run")
                && !arguments.get(1).startsWith("-");
        if (!namesOne) {
            return arguments;
        }
        Workload workload = library.find(arguments.get(1));
        if (!workload.tools().contains("mqttbench")) {
            throw new WorkloadException(
                    "workload " + workload.name() + " is for " + String.join(", ", workload.tools()));
        }
        List<String> rest = arguments.subList(2, arguments.size());
        List<String> expanded = new ArrayList<>();
        expanded.add("run");
        expanded.add("--name=" + workload.name());
        expanded.addAll(WorkloadLibrary.arguments(workload, scale(rest)));
        expanded.addAll(rest);
        return expanded;
    }

    private static double scale(List<String> arguments) {
        String scale = "1";
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith(SCALE + "=")) {
                scale = argument.substring(SCALE.length() + 1);
            } else if (argument.equals(SCALE) && i + 1 < arguments.size()) {
                scale = arguments.get(i + 1);
            }
        }
        try {
            return Double.parseDouble(scale);
        } catch (NumberFormatException notANumber) {
            throw new WorkloadException("--scale is a number such as 0.01, not " + scale);
        }
    }
}
