package dev.avocet.admin.print;

import dev.avocet.admin.document.Documents;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints what is no configuration object. */
public final class Rows {
    private Rows() {}

    /** @param columns of tables and csv; the first one is the name */
    public static void print(
            ObjectFormat format, List<String> columns, List<Map<String, @Nullable Object>> rows, PrintWriter out) {
        switch (format) {
            case TABLE -> TextTable.print(columns, rows, out);
            case JSON -> out.println(Documents.toJson(rows));
            case YAML -> out.println(Documents.toYaml(rows));
            case CSV -> Csv.print(columns, rows, out);
            case NAME -> rows.forEach(row -> out.println(row.get(columns.get(0))));
        }
    }

    public static void printOne(
            ObjectFormat format, List<String> columns, Map<String, @Nullable Object> row, PrintWriter out) {
        switch (format) {
            case TABLE -> TextTable.printProperties(row, out);
            case JSON -> out.println(Documents.toJson(row));
            case YAML -> out.println(Documents.toYaml(row));
            case CSV, NAME -> print(format, columns, List.of(row), out);
        }
    }
}
