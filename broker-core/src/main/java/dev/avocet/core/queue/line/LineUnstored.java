package dev.avocet.core.queue.line;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ReferenceLine} held at one moment and is not in the store.
 *
 * @param chunks those with messages in memory, and of the others the next behind each of them, first to last
 */
record LineUnstored(List<ChunkMessages> chunks) implements UnstoredSnapshot {
    @Override
    public void forEach(UnstoredVisitor visitor) {
        List<Waiting> ahead = new ArrayList<>(); // of the stored message that comes next
        for (ChunkMessages chunk : chunks) {
            for (int i = chunk.from(); i < chunk.toExclusive(); i++) {
                if (chunk.isStored(i)) {
                    show(ahead, chunk.number(i), visitor);
                } else {
                    ahead.add(new Waiting(Objects.requireNonNull(chunk.messages()[i]), chunk.optionsOf(i)));
                }
            }
        }
        show(ahead, UnstoredVisitor.AT_END, visitor);
    }

    private static void show(List<Waiting> ahead, long before, UnstoredVisitor visitor) {
        ahead.forEach(each -> visitor.onUnstored(before, each.message(), each.options()));
        ahead.clear();
    }

    private record Waiting(Message message, @Nullable DeliveryOptions options) {}
}
