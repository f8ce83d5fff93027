package dev.avocet.server.monitor.table;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * In what order things are shown, and so which ones when not all are.
 *
 * @param order the first comes first; null for any order
 */
public record StatType<R>(String name, @Nullable Comparator<R> order) {
    static final String UNSORTED = "AllUnsorted";

    public static <R> StatType<R> highest(String name, ToDoubleFunction<R> figure) {
        return new StatType<>(name, Comparator.comparingDouble(figure).reversed());
    }

    public static <R> StatType<R> lowest(String name, ToDoubleFunction<R> figure) {
        return new StatType<>(name, Comparator.comparingDouble(figure));
    }

    /** Both, under the figure's name with {@code Highest} or {@code Lowest} behind. */
    public static <R> List<StatType<R>> both(String figure, ToDoubleFunction<R> value) {
        return List.of(highest(figure + "Highest", value), lowest(figure + "Lowest", value));
    }

    public static <R> StatType<R> unsorted() {
        return new StatType<>(UNSORTED, null);
    }
}
