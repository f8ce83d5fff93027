package dev.avocet.server.monitor;

import dev.avocet.server.monitor.table.Column;
import dev.avocet.server.monitor.table.MonitorException;
import dev.avocet.server.monitor.table.Monitored;
import dev.avocet.server.monitor.table.Option;
import dev.avocet.server.monitor.table.Question;
import dev.avocet.server.monitor.table.Report;
import dev.avocet.server.monitor.table.Times;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that can be asked how it was. */
final class Historical implements Monitored {
    private static final Option SUB_TYPE =
            new Option("SubType", "How it is, or how it was.", List.of("Current", "History"));
    private static final String DURATION = "Duration";
    private static final int USUAL_DURATION_S = 1_800;

    private final Monitored current;
    private final Option statType;
    private final Archive archive;

    /** @param figures of which there is a history, the default first */
    Historical(Monitored current, List<String> figures, Archive archive) {
        this.current = current;
        this.statType = new Option("StatType", "Which figure's history, or what comes first.", figures);
        this.archive = archive;
    }

    @Override
    public String name() {
        return current.name();
    }

    @Override
    public String summary() {
        return current.summary();
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(current.options());
        options.removeIf(option -> option.name().equals(statType.name()));
        options.add(SUB_TYPE);
        options.add(statType);
        options.add(Option.free(
                DURATION,
                "How far back, in seconds: 1 to " + History.DAY_S + ", " + USUAL_DURATION_S
                        + " unless you say otherwise. Up to an hour there is a value every " + History.INTERVAL_S
                        + " seconds, beyond that every " + History.LONG_INTERVAL_S + "."));
        return options;
    }

    @Override
    public List<? extends Column<?>> columns() {
        return current.columns();
    }

    @Override
    public Report ask(Question question) throws MonitorException {
        question.requireOnly(name(), options());
        String figure = statType.choose(question);
        if (SUB_TYPE.choose(question).equals(SUB_TYPE.values().get(0))) {
            return current.ask(question.about(current.options()));
        }
        int durationS = duration(question);
        String of = question.get("Name");
        History.Window window = archive.find(of).window(figure, durationS);
        return json -> {
            json.writeObjectFieldStart(name());
            if (of != null) {
                json.writeStringField("Name", of);
            }
            json.writeStringField("SubType", "History");
            json.writeStringField(statType.name(), figure);
            json.writeNumberField(DURATION, durationS);
            json.writeNumberField("Interval", window.intervalS());
            json.writeStringField("LastUpdateTimestamp", Times.text(window.lastMs()));
            json.writeFieldName("Data");
            json.writeArray(window.values(), 0, window.values().length);
            json.writeEndObject();
        };
    }

    private static int duration(Question question) throws MonitorException {
        String said = question.get(DURATION);
        if (said == null) {
            return USUAL_DURATION_S;
        }
        try {
            int seconds = Integer.parseInt(said);
            if (seconds >= 1 && seconds <= History.DAY_S) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw MonitorException.invalid(
                DURATION + " is a number of seconds from 1 to " + History.DAY_S + ", not '" + said + "'");
    }

    /** Knows the histories. */
    @FunctionalInterface
    interface Archive {
        /** @param name of the thing, where there are several; null for all of them together */
        History find(@Nullable String name) throws MonitorException;
    }
}
