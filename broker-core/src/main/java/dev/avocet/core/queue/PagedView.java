package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import org.jspecify.annotations.Nullable;

/**
 * The references of a {@link RankedChunk} whose columns lie in a file.
 *
 * @param head the first of them that waits
 */
record PagedView(
        ReferencePages pages,
        RankedPage page,
        long base,
        int head,
        @Nullable DeliveryOptions plain) implements ReferenceView {
    @Override
    public void forEach(ReferenceVisitor visitor) {
        RankedPage.Columns columns = page.read(pages, page.tail());
        new ChunkView(
                        base,
                        columns.numbers(),
                        columns.positions(),
                        columns.sizes(),
                        columns.deadlinesNs(),
                        null,
                        plain,
                        head,
                        page.tail())
                .forEach(visitor);
    }
}
