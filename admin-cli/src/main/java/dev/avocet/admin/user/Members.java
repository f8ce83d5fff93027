package dev.avocet.admin.user;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.Rows;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Users, or groups, as tables.
 *
 * @param columns the first is their name
 */
record Members(UserApi api, List<String> columns, PrintWriter out) {
    void show(String name, ObjectFormatOption output) throws AdminException {
        Rows.printOne(output.format(), columns, row(name, api.one(name)), out);
    }

    void list(ObjectFormatOption output) throws AdminException {
        Rows.print(
                output.format(),
                columns,
                api.all().entrySet().stream()
                        .map(each -> row(each.getKey(), each.getValue()))
                        .toList(),
                out);
    }

    private Map<String, @Nullable Object> row(String name, Map<String, @Nullable Object> shown) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put(columns.get(0), name);
        columns.stream().skip(1).forEach(column -> row.put(column, shown.get(column)));
        return row;
    }
}
