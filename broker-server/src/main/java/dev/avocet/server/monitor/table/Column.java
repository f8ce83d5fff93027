package dev.avocet.server.monitor.table;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Something that is told about each thing of a kind.
 *
 * @param name as it is written in answers
 * @param description for people
 * @param type of the value, as in JSON: {@code integer}, {@code number}, {@code boolean} or {@code string}
 * @param value a Long, a Double, a Boolean or a String
 */
public record Column<R>(String name, String description, String type, Function<R, Object> value) {
    public static <R> Column<R> text(String name, String description, Function<R, String> value) {
        return new Column<>(name, description, "string", value::apply);
    }

    public static <R> Column<R> number(String name, String description, ToLongFunction<R> value) {
        return new Column<>(name, description, "integer", value::applyAsLong);
    }

    /** A share of a hundred, with one decimal. */
    public static <R> Column<R> percent(String name, String description, ToDoubleFunction<R> value) {
        return new Column<>(name, description, "number", row -> Math.round(value.applyAsDouble(row) * 10) / 10.0);
    }

    public static <R> Column<R> truth(String name, String description, Predicate<R> value) {
        return new Column<>(name, description, "boolean", value::test);
    }
}
