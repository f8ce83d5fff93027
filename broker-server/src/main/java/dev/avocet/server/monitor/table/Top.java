package dev.avocet.server.monitor.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The first ones of many in some order; the others are counted and forgotten. Of one thread at a time. */
public final class Top<R> {
    private final int limit;
    private final @Nullable Comparator<R> order;
    private final Queue<R> last;
    private final List<R> some = new ArrayList<>();
    private long found;

    /** @param order null for any order */
    Top(int limit, @Nullable Comparator<R> order) {
        this.limit = limit;
        this.order = order;
        this.last = order == null ? new PriorityQueue<>() : new PriorityQueue<>(11, order.reversed());
    }

    void add(R row) {
        found++;
        keep(row);
    }

    /** Takes over what another one has kept. */
    void addAll(Top<R> other) {
        found += other.found;
        other.some.forEach(this::keep);
        other.last.forEach(this::keep);
    }

    /** How many there were. */
    long found() {
        return found;
    }

    List<R> inOrder() {
        if (order == null) {
            return some;
        }
        List<R> all = new ArrayList<>(last);
        all.sort(order);
        return all;
    }

    private void keep(R row) {
        Comparator<R> comparator = order;
        if (comparator == null) {
            if (some.size() < limit) {
                some.add(row);
            }
        } else if (last.size() < limit) {
            last.add(row);
        } else if (comparator.compare(row, last.element()) < 0) {
            last.remove();
            last.add(row);
        }
    }
}
