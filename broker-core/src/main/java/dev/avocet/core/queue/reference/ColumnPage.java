package dev.avocet.core.queue.reference;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Columns of {@link ReferenceColumns} in a file. Immutable; the home loop reads and writes.
 *
 * @param head index of the first one that was written
 * @param firstOrder of a chunk that has an order, when it was written; 0 of others, as the next
 */
public record ColumnPage(
        ReferencePages.Page page,
        int head,
        int tail,
        long firstOrder,
        long lastOrder,
        boolean hasOrders,
        boolean hasDeadlines) {
    /** What a page takes of the heap. */
    public static final int HEAP_BYTES = 72;

    private static final int REFERENCE_BYTES = 2 * Integer.BYTES + Long.BYTES;

    /**
     * Writes columns; null when that is impossible.
     *
     * @param orderBase orders are differences to this one, if there are some
     */
    static @Nullable ColumnPage write(ReferencePages pages, Columns columns, int head, int tail, long orderBase) {
        int[] orders = columns.orders();
        long[] deadlinesNs = columns.deadlinesNs();
        ByteBuffer content = ByteBuffer.allocate(bytes(tail - head, orders != null, deadlinesNs != null));
        for (int i = head; i < tail; i++) {
            content.putInt(columns.numbers()[i]).putLong(columns.positions()[i]).putInt(columns.sizes()[i]);
            if (orders != null) {
                content.putInt(orders[i]);
            }
            if (deadlinesNs != null) {
                content.putLong(deadlinesNs[i]);
            }
        }
        ReferencePages.Page page = pages.write(content.flip());
        return page == null
                ? null
                : new ColumnPage(
                        page,
                        head,
                        tail,
                        orders == null ? 0 : orderBase + orders[head],
                        orders == null ? 0 : orderBase + orders[tail - 1],
                        orders != null,
                        deadlinesNs != null);
    }

    /** Reads them into arrays with so many places. */
    Columns read(ReferencePages pages, int capacity) {
        ByteBuffer content = pages.read(page, bytes(tail - head, hasOrders, hasDeadlines));
        int[] orders = hasOrders ? new int[capacity] : null;
        long[] deadlinesNs = hasDeadlines ? new long[capacity] : null;
        Columns columns = new Columns(new int[capacity], new long[capacity], new int[capacity], orders, deadlinesNs);
        for (int i = head; i < tail; i++) {
            columns.numbers[i] = content.getInt();
            columns.positions[i] = content.getLong();
            columns.sizes[i] = content.getInt();
            if (orders != null) {
                orders[i] = content.getInt();
            }
            if (deadlinesNs != null) {
                deadlinesNs[i] = content.getLong();
            }
        }
        return columns;
    }

    private static int bytes(int references, boolean withOrders, boolean withDeadlines) {
        return references * (REFERENCE_BYTES + (withOrders ? Integer.BYTES : 0) + (withDeadlines ? Long.BYTES : 0));
    }

    /**
     * Arrays of the same length.
     *
     * @param orders null where references stand in the order of their indexes
     */
    public record Columns(
            int[] numbers, long[] positions, int[] sizes, int @Nullable [] orders, long @Nullable [] deadlinesNs) {}
}
