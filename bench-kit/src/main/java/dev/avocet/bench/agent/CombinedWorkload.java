package dev.avocet.bench.agent;

import dev.avocet.bench.workload.Workload;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A named workload of two harnesses. {@code SEC} in its name is for the producers, which connect with TLS; {@code HA}
 * says which of a pair is meant and changes nothing else.
 *
 * @param name in capitals, or that of the user's file
 */
record CombinedWorkload(String name, Workload workload, boolean isSecure) {
    private static final WorkloadLibrary LIBRARY =
            new WorkloadLibrary(CombinedWorkload.class, "/dev/avocet/bench/workloads");

    static List<String> names() {
        return LIBRARY.names();
    }

    /** What one of the {@link #names} is for. */
    static String what(String name) {
        return LIBRARY.summary(name).what();
    }

    /** @param name of a workload, or the path of a file of the user */
    static boolean isNamed(String name) {
        if (WorkloadLibrary.isFile(name)) {
            return LIBRARY.find(name).consumerOptions() != null;
        }
        return names().contains(plain(name.toUpperCase(Locale.ROOT)));
    }

    static CombinedWorkload find(String asked) {
        if (WorkloadLibrary.isFile(asked)) {
            Workload own = LIBRARY.find(asked);
            return new CombinedWorkload(String.valueOf(own.name()), own, false);
        }
        String name = asked.toUpperCase(Locale.ROOT);
        return new CombinedWorkload(name, LIBRARY.find(plain(name)), name.contains(".SEC."));
    }

    private static String plain(String name) {
        return name.replaceFirst("\\.SEC\\.", ".").replaceFirst("\\.HA\\.", ".");
    }

    List<String> producerOptions(double scale) {
        List<String> options = new ArrayList<>(WorkloadLibrary.arguments(workload, scale));
        if (isSecure) {
            options.add("--tls");
        }
        return options;
    }

    /** jmsbench takes each option once, so those of the user replace the workload's. */
    List<String> consumerOptions(double scale, List<String> own) {
        List<String> options = new ArrayList<>(WorkloadLibrary.arguments(workload.ofConsumers(), scale));
        options.removeIf(option -> own.stream().anyMatch(other -> nameOf(other).equals(nameOf(option))));
        options.addAll(own);
        return options;
    }

    /** Reports are passed on. */
    String withoutSecrets(List<String> options) {
        return String.join(" ", options).replaceAll("(?i)(password[^= ]*[= ])\\S+", "$1***");
    }

    private static String nameOf(String option) {
        return option.replaceFirst("=.*", "");
    }
}
