package dev.avocet.admin.service;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.Csv;
import dev.avocet.admin.print.ObjectFormat;
import dev.avocet.admin.print.TextTable;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints what a broker tells. */
final class StatisticsPrinter {
    /** What a table has where there would be too much for the width of a terminal. */
    private static final Map<String, List<String>> TABLES = Map.of(
            "Subscription",
            List.of(
                    "SubName",
                    "ClientID",
                    "BufferedMsgs",
                    "BufferedPercent",
                    "PublishedMsgs",
                    "RejectedMsgs",
                    "DiscardedMsgs",
                    "ExpiredMsgs",
                    "Consumers",
                    "MessagingPolicy"),
            "Connection",
            List.of("Name", "Protocol", "ClientAddr", "UserId", "Endpoint", "ConnectTime", "ReadMsg", "WriteMsg"),
            "Endpoint",
            List.of(
                    "Name",
                    "IPAddr",
                    "Port",
                    "Enabled",
                    "Active",
                    "Total",
                    "ReadMsgs",
                    "WriteMsgs",
                    "LostMsgs",
                    "WarnMsgs",
                    "BadConnections"));

    /** What is wrong with a row: too long for a table. */
    private static final String PROBLEM = "ErrorMessage";

    private final ObjectFormat format;
    private final List<String> columns;
    private final PrintWriter out;
    private boolean hasHeading;

    /** @param columns those wanted; empty for the usual ones */
    StatisticsPrinter(ObjectFormat format, List<String> columns, PrintWriter out) {
        this.format = format;
        this.columns = List.copyOf(columns);
        this.out = out;
    }

    void print(String object, Statistics told, @Nullable String order) throws AdminException {
        requireColumns(object, told);
        switch (format) {
            case TABLE -> table(object, told, order);
            case JSON -> out.println(Documents.toJson(told.isOne() ? told.rows().get(0) : told.rows()));
            case YAML -> out.println(Documents.toYaml(told.isOne() ? told.rows().get(0) : told.rows()));
            case CSV -> csv(told);
            case NAME -> told.rows().forEach(row -> out.println(Values.text(row.get(name(told, object)))));
        }
        out.flush();
    }

    private static String name(Statistics told, String object) {
        return told.isOne() ? object : told.columns().get(0);
    }

    private void table(String object, Statistics told, @Nullable String order) {
        if (told.isOne()) {
            TextTable.printProperties(told.rows().get(0), out);
            return;
        }
        if (told.rows().isEmpty()) {
            out.println("(none)");
            return;
        }
        TextTable.print(tableColumns(object, told, order), told.rows(), out);
        for (Map<String, @Nullable Object> row : told.rows()) {
            String problem = Values.text(row.get(PROBLEM));
            if (!problem.isEmpty()) {
                out.println(object + " '" + Values.text(row.get("Name")) + "': " + problem);
            }
        }
        if (told.found() > told.rows().size()) {
            out.println("(" + told.rows().size() + " of " + told.found() + "; --top shows more)");
        }
    }

    private List<String> tableColumns(String object, Statistics told, @Nullable String order) {
        if (!columns.isEmpty()) {
            return columns;
        }
        List<String> all = told.columns();
        List<String> some = new ArrayList<>(TABLES.getOrDefault(object, all));
        if (!all.isEmpty()) {
            some.retainAll(all);
            all.stream()
                    .filter(column -> !some.contains(column) && order != null && order.startsWith(column))
                    .forEach(some::add);
        }
        return some;
    }

    private void csv(Statistics told) {
        List<String> wanted = columns.isEmpty() ? told.columns() : columns;
        if (hasHeading) {
            Csv.printRows(wanted, told.rows(), out);
        } else if (!wanted.isEmpty()) {
            hasHeading = true;
            Csv.print(wanted, told.rows(), out);
        }
    }

    private void requireColumns(String object, Statistics told) throws AdminException {
        for (String column : columns) {
            if (!told.rows().isEmpty() && !told.columns().contains(column)) {
                throw new AdminException(
                        ExitCode.USAGE,
                        object + " does not tell '" + column + "'; there are " + String.join(", ", told.columns()));
            }
        }
    }
}
