package dev.avocet.server.monitor.table;

import java.util.List;
import java.util.function.Predicate;

/**
 * Which things of a kind are shown.
 *
 * @param limit how many at most
 */
public record Selection<R>(List<Predicate<R>> filters, StatType<R> order, int limit) {
    public Top<R> top() {
        return new Top<>(limit, order.order());
    }

    /** Takes a thing into account if it is meant. */
    public void offer(R row, Top<R> top) {
        for (Predicate<R> filter : filters) {
            if (!filter.test(row)) {
                return;
            }
        }
        top.add(row);
    }
}
