package dev.avocet.admin.print;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Prints an answer for people: a line for each figure. */
public final class Table {
    private Table() {}

    public static void print(Map<String, Object> object, PrintWriter out) {
        Map<String, String> lines = new LinkedHashMap<>();
        flatten("", object, lines);
        int width = lines.keySet().stream().mapToInt(String::length).max().orElse(0);
        lines.forEach((name, value) -> out.println(name + " ".repeat(width - name.length()) + "  " + value));
    }

    private static void flatten(String prefix, Map<?, ?> object, Map<String, String> lines) {
        object.forEach((name, value) -> {
            String words = prefix + words(String.valueOf(name));
            if (value instanceof Map<?, ?> inner) {
                flatten(words + " ", inner, lines);
            } else {
                lines.put(words, String.valueOf(value));
            }
        });
    }

    /** {@code liveReferences} as {@code live references}. */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").strip().toLowerCase(Locale.ROOT);
    }
}
