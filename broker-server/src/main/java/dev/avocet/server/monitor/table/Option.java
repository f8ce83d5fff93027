package dev.avocet.server.monitor.table;

import java.util.List;

/**
 * A part of a question.
 *
 * @param name of the parameter
 * @param description for people
 * @param values what may be said, the default first; empty when that is no choice
 */
public record Option(String name, String description, List<String> values) {
    /** Copies the values. */
    public Option {
        values = List.copyOf(values);
    }

    public static Option free(String name, String description) {
        return new Option(name, description, List.of());
    }

    /** What was said, or the default. */
    public String choose(Question question) throws MonitorException {
        String said = question.get(name);
        if (said == null) {
            return values.get(0);
        }
        if (!values.contains(said)) {
            throw MonitorException.invalid(name + " cannot be '" + said + "'" + Question.advice(said, values)
                    + "it is one of: " + String.join(", ", values));
        }
        return said;
    }
}
