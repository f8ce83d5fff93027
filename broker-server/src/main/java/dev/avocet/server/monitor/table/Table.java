package dev.avocet.server.monitor.table;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A kind of which there are many things: what each tells, how to find some, and in what order. Immutable. */
public final class Table<R> implements Monitored {
    private static final String RESULT_COUNT = "ResultCount";
    private static final String RESULT_OFFSET = "ResultOffset";
    private static final String ALL = "All";
    private static final int USUAL_ROWS = 25;
    private static final int MOST_ROWS = 100_000;
    private static final int KEY_COLUMNS = 3;

    private final String name;
    private final String summary;
    private final List<Column<R>> columns;
    private final List<Filter<R>> filters;
    private final List<StatType<R>> statTypes;
    private final Source<R> source;
    private final RowBudget budget;

    /** @param statTypes the default first */
    public Table(
            String name,
            String summary,
            List<Column<R>> columns,
            List<Filter<R>> filters,
            List<StatType<R>> statTypes,
            RowBudget budget,
            Source<R> source) {
        this.name = name;
        this.summary = summary;
        this.columns = List.copyOf(columns);
        this.filters = List.copyOf(filters);
        this.statTypes = List.copyOf(statTypes);
        this.budget = budget;
        this.source = source;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String summary() {
        return summary;
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>();
        filters.forEach(filter -> options.add(filter.option()));
        options.add(statType());
        options.add(Option.free(
                RESULT_COUNT,
                "How many are shown: 1 to " + MOST_ROWS + ", " + USUAL_ROWS + " unless you say otherwise, or " + ALL
                        + " for as many as there may be."));
        options.add(Option.free(
                RESULT_OFFSET,
                "How many are left out before those: 0 to " + MOST_ROWS + " less ResultCount. With it, what is equal by"
                        + " StatType is in the order of its names, so that page follows upon page."));
        return options;
    }

    @Override
    public List<Column<R>> columns() {
        return columns;
    }

    @Override
    public Report ask(Question question) throws MonitorException {
        question.requireOnly(name, options());
        List<Predicate<R>> wanted = new ArrayList<>();
        for (Filter<R> filter : filters) {
            Predicate<R> predicate = filter.of(question);
            if (predicate != null) {
                wanted.add(predicate);
            }
        }
        String order = statType().choose(question);
        StatType<R> type = statTypes.stream()
                .filter(each -> each.name().equals(order))
                .findFirst()
                .orElseThrow();
        boolean byPages = question.get(RESULT_OFFSET) != null;
        int offset = offset(question);
        int limit = offset + limit(question);
        if (byPages && limit > MOST_ROWS) {
            throw MonitorException.invalid(
                    RESULT_OFFSET + " and " + RESULT_COUNT + " are " + MOST_ROWS + " together at most, not " + limit);
        }
        budget.take(limit);
        try {
            return new Rows(source.select(new Selection<>(wanted, byPages ? exact(type) : type, limit)), limit, offset);
        } catch (MonitorException | RuntimeException e) {
            budget.giveBack(limit);
            throw e;
        }
    }

    private Option statType() {
        return new Option(
                "StatType",
                "What comes first.",
                statTypes.stream().map(StatType::name).toList());
    }

    /** Leaves no two things without an order. */
    private StatType<R> exact(StatType<R> type) {
        Comparator<R> byNames = Comparator.comparing(this::names);
        Comparator<R> order = type.order();
        return new StatType<>(type.name(), order == null ? byNames : order.thenComparing(byNames));
    }

    private String names(R row) {
        return columns.stream()
                .filter(column -> column.type().equals("string"))
                .limit(KEY_COLUMNS)
                .map(column -> String.valueOf(column.value().apply(row)))
                .collect(Collectors.joining("\0"));
    }

    private static int offset(Question question) throws MonitorException {
        String said = question.get(RESULT_OFFSET);
        if (said == null) {
            return 0;
        }
        try {
            int count = Integer.parseInt(said);
            if (count >= 0 && count < MOST_ROWS) {
                return count;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw MonitorException.invalid(
                RESULT_OFFSET + " is a number from 0 to " + (MOST_ROWS - 1) + ", not '" + said + "'");
    }

    private static int limit(Question question) throws MonitorException {
        String said = question.get(RESULT_COUNT);
        if (said == null) {
            return USUAL_ROWS;
        }
        if (said.equals(ALL)) {
            return MOST_ROWS;
        }
        try {
            int count = Integer.parseInt(said);
            if (count >= 1 && count <= MOST_ROWS) {
                return count;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw MonitorException.invalid(
                RESULT_COUNT + " is a number from 1 to " + MOST_ROWS + ", or " + ALL + ", not '" + said + "'");
    }

    /** Finds things. */
    @FunctionalInterface
    public interface Source<R> {
        Top<R> select(Selection<R> selection) throws MonitorException;
    }

    /** The things that were found, written one by one. */
    private final class Rows implements Report {
        private final Top<R> top;
        private final int limit;
        private final int offset;

        Rows(Top<R> top, int limit, int offset) {
            this.top = top;
            this.limit = limit;
            this.offset = offset;
        }

        @Override
        public void writeTo(JsonGenerator json) throws IOException {
            json.writeNumberField("Found", top.found());
            json.writeArrayFieldStart(name);
            List<R> rows = top.inOrder();
            for (R row : rows.subList(Math.min(offset, rows.size()), rows.size())) {
                json.writeStartObject();
                Values.write(row, columns, json);
                json.writeEndObject();
            }
            json.writeEndArray();
        }

        @Override
        public void close() {
            budget.giveBack(limit);
        }
    }
}
