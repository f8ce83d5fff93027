package dev.avocet.admin.print;

import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/** Rows and columns for people. The heading is bold on a terminal. */
public final class TextTable {
    private static final int WIDEST_CELL = 48;
    private static final String GAP = "  ";

    private TextTable() {}

    public static void print(List<String> columns, List<Map<String, @Nullable Object>> rows, PrintWriter out) {
        int[] widths = columns.stream()
                .mapToInt(column -> Math.max(
                        column.length(),
                        rows.stream()
                                .mapToInt(row -> cell(row, column).length())
                                .max()
                                .orElse(0)))
                .toArray();
        out.println(bold(line(columns, widths)));
        for (Map<String, @Nullable Object> row : rows) {
            out.println(line(columns.stream().map(column -> cell(row, column)).toList(), widths));
        }
    }

    public static void printProperties(Map<String, @Nullable Object> object, PrintWriter out) {
        int width = object.keySet().stream().mapToInt(String::length).max().orElse(0);
        object.forEach((name, value) ->
                out.println((bold(name) + " ".repeat(width - name.length()) + GAP + printable(Values.text(value)))
                        .stripTrailing()));
    }

    private static String cell(Map<String, @Nullable Object> row, String column) {
        String text = printable(Values.text(row.get(column)));
        return text.length() <= WIDEST_CELL ? text : text.substring(0, WIDEST_CELL - 1) + "…";
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    /** What a terminal would take as a command is shown as a question mark. */
    private static String printable(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String bold(String text) {
        return Ansi.AUTO.enabled() ? "\u001b[1m" + text + "\u001b[0m" : text;
    }
}
