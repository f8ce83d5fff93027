package dev.avocet.core.queue;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a {@link RankedChunk} in a file.
 *
 * @param head index of the first one that was written
 * @param firstOrder as of the chunk when that was written
 */
record RankedPage(ReferencePages.Page page, int head, int tail, long firstOrder, long lastOrder, boolean hasDeadlines) {
    private static final int REFERENCE_BYTES = 3 * Integer.BYTES + Long.BYTES;

    /** Writes columns; null when that is impossible. */
    static @Nullable RankedPage write(ReferencePages pages, Columns columns, int head, int tail, long orderBase) {
        long[] deadlinesNs = columns.deadlinesNs();
        boolean hasDeadlines = deadlinesNs != null;
        ByteBuffer content = ByteBuffer.allocate(bytes(tail - head, hasDeadlines));
        for (int i = head; i < tail; i++) {
            content.putInt(columns.numbers()[i])
                    .putLong(columns.positions()[i])
                    .putInt(columns.sizes()[i])
                    .putInt(columns.orders()[i]);
            if (deadlinesNs != null) {
                content.putLong(deadlinesNs[i]);
            }
        }
        ReferencePages.Page page = pages.write(content.flip());
        return page == null
                ? null
                : new RankedPage(
                        page,
                        head,
                        tail,
                        orderBase + columns.orders()[head],
                        orderBase + columns.orders()[tail - 1],
                        hasDeadlines);
    }

    /** Reads them into arrays with so many places. */
    Columns read(ReferencePages pages, int capacity) {
        ByteBuffer content = pages.read(page, bytes(tail - head, hasDeadlines));
        long[] deadlinesNs = hasDeadlines ? new long[capacity] : null;
        Columns columns =
                new Columns(new int[capacity], new long[capacity], new int[capacity], new int[capacity], deadlinesNs);
        for (int i = head; i < tail; i++) {
            columns.numbers[i] = content.getInt();
            columns.positions[i] = content.getLong();
            columns.sizes[i] = content.getInt();
            columns.orders[i] = content.getInt();
            if (deadlinesNs != null) {
                deadlinesNs[i] = content.getLong();
            }
        }
        return columns;
    }

    private static int bytes(int references, boolean hasDeadlines) {
        return references * (REFERENCE_BYTES + (hasDeadlines ? Long.BYTES : 0));
    }

    /** Arrays of the same length. */
    record Columns(int[] numbers, long[] positions, int[] sizes, int[] orders, long @Nullable [] deadlinesNs) {}
}
