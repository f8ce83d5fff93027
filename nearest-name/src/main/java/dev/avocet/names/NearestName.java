package dev.avocet.names;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the name that a mistyped one probably means. */
public final class NearestName {
    /** A longer one is no mistyped name, and comparing takes time. */
    private static final int LONGEST_NAME = 256;

    private NearestName() {}

    /** {@code , did you mean 'x'?}, or nothing when no name is near. */
    public static String advice(String typed, Collection<String> names) {
        if (typed.length() > LONGEST_NAME) {
            return "";
        }
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(typed, name)))
                .filter(name -> distance(typed, name) <= Math.max(2, typed.length() / 3))
                .map(name -> ", did you mean '" + name + "'?")
                .orElse("");
    }

    /** How many letters must be changed, added or removed; upper and lower case are the same. */
    static int distance(String left, String right) {
        String from = left.toLowerCase(Locale.ROOT);
        String to = right.toLowerCase(Locale.ROOT);
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int change = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[to.length()];
    }
}
