package dev.avocet.admin.print;

import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values with commas between, as RFC 4180 has them. */
public final class Csv {
    private static final String END = "\r\n";

    private Csv() {}

    public static void print(List<String> columns, List<Map<String, @Nullable Object>> rows, PrintWriter out) {
        out.print(columns.stream().map(Csv::cell).collect(Collectors.joining(",")) + END);
        printRows(columns, rows, out);
    }

    /** Without the line of headings. */
    public static void printRows(List<String> columns, List<Map<String, @Nullable Object>> rows, PrintWriter out) {
        rows.forEach(row -> out.print(columns.stream()
                        .map(column -> cell(Values.text(row.get(column))))
                        .collect(Collectors.joining(","))
                + END));
        out.flush();
    }

    /** All of it in quotes, as MessageSight 1 has them. */
    public static void printQuoted(List<String> columns, List<Map<String, @Nullable Object>> rows, PrintWriter out) {
        out.println(columns.stream().map(Csv::quoted).collect(Collectors.joining(",")));
        rows.forEach(row -> out.println(columns.stream()
                .map(column -> quoted(Values.text(row.get(column))))
                .collect(Collectors.joining(","))));
        out.flush();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String cell(String text) {
        boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? text : quoted(text);
    }
}
