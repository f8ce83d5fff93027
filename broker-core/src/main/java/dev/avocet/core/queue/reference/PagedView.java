package dev.avocet.core.queue.reference;

import dev.avocet.core.message.DeliveryOptions;
import org.jspecify.annotations.Nullable;

/**
 * The references of some {@link ReferenceColumns} that lie in a file.
 *
 * @param head the first of them that waits
 * @param options of those that have their own; they stay on the heap
 * @param plain of the others
 */
record PagedView(
        ReferencePages pages,
        ColumnPage page,
        long base,
        int head,
        @Nullable DeliveryOptions @Nullable [] options,
        @Nullable DeliveryOptions plain)
        implements ReferenceView {
    @Override
    public void forEach(ReferenceVisitor visitor) {
        ColumnPage.Columns columns = page.read(pages, page.tail());
        new ChunkView(
                        base,
                        columns.numbers(),
                        columns.positions(),
                        columns.sizes(),
                        columns.deadlinesNs(),
                        options,
                        plain,
                        head,
                        page.tail())
                .forEach(visitor);
    }
}
