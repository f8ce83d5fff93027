package dev.avocet.admin.print;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.Trait;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Prints objects of one type. */
public final class ObjectPrinter {
    private static final String NAME = "Name";

    private final TypeSchema type;
    private final ObjectFormat format;
    private final PrintWriter out;

    public ObjectPrinter(TypeSchema type, ObjectFormat format, PrintWriter out) {
        this.type = type;
        this.format = format;
        this.out = out;
    }

    /** One object, its properties in the order of the documentation. */
    public void one(String name, Map<String, @Nullable Object> object) {
        Map<String, @Nullable Object> row = row(name, object);
        switch (format) {
            case TABLE -> TextTable.printProperties(row, out);
            case JSON -> out.println(Documents.toJson(row));
            case YAML -> out.println(Documents.toYaml(row));
            case CSV -> Csv.print(List.copyOf(row.keySet()), List.of(row), out);
            case NAME -> out.println(name.isEmpty() ? type.noun() : name);
        }
    }

    /** Several objects. In a table, with the columns that tell something, unless others are asked for. */
    public void several(Map<String, Map<String, @Nullable Object>> objects, List<String> columns) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        objects.forEach((name, object) -> rows.add(row(name, object)));
        switch (format) {
            case TABLE -> TextTable.print(columns.isEmpty() ? tellingColumns(rows) : columns, rows, out);
            case JSON -> out.println(Documents.toJson(rows));
            case YAML -> out.println(Documents.toYaml(rows));
            case CSV -> Csv.print(columns.isEmpty() ? allColumns(rows) : columns, rows, out);
            case NAME -> objects.keySet().forEach(out::println);
        }
    }

    private Map<String, @Nullable Object> row(String name, Map<String, @Nullable Object> object) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        if (!name.isEmpty()) {
            row.put(keyName(), name);
        }
        type.properties().stream()
                .map(PropertySchema::name)
                .filter(object::containsKey)
                .forEach(property -> row.putIfAbsent(property, object.get(property)));
        object.forEach(row::putIfAbsent);
        return row;
    }

    private String keyName() {
        return type.key().map(PropertySchema::name).orElse(NAME);
    }

    /** The name, what is required, and what some object has that is not the default. */
    private List<String> tellingColumns(List<Map<String, @Nullable Object>> rows) {
        return allColumns(rows).stream()
                .filter(column -> type.property(column)
                        .map(property ->
                                property.is(Trait.KEY) || property.is(Trait.REQUIRED) || varies(property, rows))
                        .orElse(true))
                .toList();
    }

    private static boolean varies(PropertySchema property, List<Map<String, @Nullable Object>> rows) {
        String usual = Values.canonical(property, null);
        return rows.stream()
                .anyMatch(row ->
                        !Values.canonical(property, row.get(property.name())).equals(usual));
    }

    private List<String> allColumns(List<Map<String, @Nullable Object>> rows) {
        Set<String> columns = new LinkedHashSet<>();
        type.properties().forEach(property -> columns.add(property.name()));
        rows.forEach(row -> columns.addAll(row.keySet()));
        return List.copyOf(columns);
    }
}
