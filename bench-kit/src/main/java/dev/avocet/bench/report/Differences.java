package dev.avocet.bench.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A setting, or a fact of the environment, that is not the same in all groups.
 *
 * @param values one for each group; several of its runs are joined by commas
 */
record Differences(String name, List<String> values) {
    static final String UNSET = "not set";

    /** Names of files, which differ each time, and what changes from minute to minute. */
    private static final Set<String> ALWAYS =
            Set.of("arguments", "load average", "--json", "--html", "--csv", "--latency-csv", "--command-pipe");

    static List<Differences> ofSettings(List<RunGroup> groups) {
        return of(groups, RunResult::settings);
    }

    static List<Differences> ofEnvironment(List<RunGroup> groups) {
        return of(groups, RunResult::environment);
    }

    private static List<Differences> of(List<RunGroup> groups, Function<RunResult, Map<String, String>> facts) {
        Set<String> names = new LinkedHashSet<>();
        groups.forEach(group ->
                group.runs().forEach(run -> names.addAll(facts.apply(run).keySet())));
        names.removeAll(ALWAYS);
        return names.stream()
                .map(name -> new Differences(
                        name,
                        groups.stream().map(group -> value(group, name, facts)).toList()))
                .filter(difference -> difference.values.stream().distinct().count() > 1)
                .toList();
    }

    private static String value(RunGroup group, String name, Function<RunResult, Map<String, String>> facts) {
        return group.runs().stream()
                .map(run -> facts.apply(run).getOrDefault(name, UNSET))
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
