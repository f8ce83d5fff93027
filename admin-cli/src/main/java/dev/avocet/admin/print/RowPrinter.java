package dev.avocet.admin.print;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints what a broker knows about things that are no configuration. */
public final class RowPrinter {
    private final ObjectFormat format;
    private final List<String> names;
    private final PrintWriter out;

    /** @param names the columns that together name a row */
    public RowPrinter(ObjectFormat format, List<String> names, PrintWriter out) {
        this.format = format;
        this.names = names;
        this.out = out;
    }

    /** @param columns what a table has of all there is */
    public void several(List<Map<String, @Nullable Object>> rows, List<String> columns) {
        switch (format) {
            case TABLE -> TextTable.print(columns, rows, out);
            case JSON -> out.println(Documents.toJson(rows));
            case YAML -> out.println(Documents.toYaml(rows));
            case CSV -> Csv.print(allColumns(rows, columns), rows, out);
            case NAME -> rows.forEach(row -> out.println(nameOf(row)));
        }
    }

    public void one(Map<String, @Nullable Object> row) {
        switch (format) {
            case TABLE -> TextTable.printProperties(row, out);
            case JSON -> out.println(Documents.toJson(row));
            case YAML -> out.println(Documents.toYaml(row));
            case CSV -> Csv.print(List.copyOf(row.keySet()), List.of(row), out);
            case NAME -> out.println(nameOf(row));
        }
    }

    private String nameOf(Map<String, @Nullable Object> row) {
        return names.stream().map(name -> Values.text(row.get(name))).collect(Collectors.joining("\t"));
    }

    private static List<String> allColumns(List<Map<String, @Nullable Object>> rows, List<String> columns) {
        Set<String> all = new LinkedHashSet<>();
        rows.forEach(row -> all.addAll(row.keySet()));
        return all.isEmpty() ? columns : List.copyOf(all);
    }
}
