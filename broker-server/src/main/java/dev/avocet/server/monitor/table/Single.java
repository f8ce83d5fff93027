package dev.avocet.server.monitor.table;

import java.util.List;
import java.util.function.Supplier;

/** A thing of which there is one. */
public record Single<R>(String name, String summary, List<Column<R>> columns, Supplier<R> source) implements Monitored {
    public Single {
        columns = List.copyOf(columns);
    }

    @Override
    public List<Option> options() {
        return List.of();
    }

    @Override
    public Report ask(Question question) throws MonitorException {
        question.requireOnly(name, options());
        R now = source.get();
        return json -> {
            json.writeObjectFieldStart(name);
            Values.write(now, columns, json);
            json.writeEndObject();
        };
    }

    /** The columns with numbers, of which there may be a history. */
    public List<Column<R>> figures() {
        return columns.stream()
                .filter(column ->
                        column.type().equals("integer") || column.type().equals("number"))
                .toList();
    }
}
