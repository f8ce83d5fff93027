package dev.avocet.bench.workload;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a list tells of a workload.
 *
 * @param what it does, in a sentence
 * @param others names that it is found by too
 */
public record WorkloadSummary(String what, List<String> others) {
    private static final Pattern WHAT = Pattern.compile("what: (?:\"([^\"\\\\]+)\"|([A-Za-z0-9][^:#\"'\\\\]*))");
    private static final Pattern ALSO = Pattern.compile("also: \\[([A-Za-z0-9._, -]*)]");

    /** Copies the list. */
    public WorkloadSummary {
        others = List.copyOf(others);
    }

    /** Out of the file of a workload; null where only a parser understands it. */
    static @Nullable WorkloadSummary ofPlainLines(String yaml) {
        String what = null;
        List<String> others = List.of();
        String before = "";
        for (String line : yaml.lines().toList()) {
            Matcher sentence = WHAT.matcher(line);
            Matcher names = ALSO.matcher(line);
            if (line.startsWith(" ") && before.startsWith("what:")) {
                return null; // it goes on
            }
            if (line.startsWith("what:") && sentence.matches()) {
                what = (sentence.group(1) == null ? sentence.group(2) : sentence.group(1)).strip();
            } else if (line.startsWith("what:")) {
                return null;
            } else if (line.startsWith("also:")) {
                if (!names.matches()) {
                    return null;
                }
                others = List.of(names.group(1).strip().split("\\s*,\\s*", -1));
            }
            before = line;
        }
        return what == null ? null : new WorkloadSummary(what, others);
    }
}
