package dev.avocet.bench.workload;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Says which of some names a user may have meant. */
final class NearestName {
    private static final int FARTHEST = 3;

    private NearestName() {}

    /** Words to follow a complaint; empty when no name is near. */
    static String advice(String typed, Collection<String> names) {
        String wanted = typed.toUpperCase(Locale.ROOT);
        return names.stream()
                .filter(name -> distance(wanted, name) <= Math.min(FARTHEST, wanted.length() / 2))
                .min(Comparator.comparingInt(name -> distance(wanted, name)))
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
    }

    /** Of Levenshtein: how many characters must be added, taken away or replaced. */
    private static int distance(String from, String to) {
        int[] before = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] now = new int[to.length() + 1];
            now[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = before[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, Math.min(before[j], now[j - 1]) + 1);
            }
            before = now;
        }
        return before[to.length()];
    }
}
