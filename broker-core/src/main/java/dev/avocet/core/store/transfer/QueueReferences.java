package dev.avocet.core.store.transfer;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.QueueSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The references of a queue at one moment, in the order of their numbers, which is that of the queue. One owner. */
final class QueueReferences {
    private QueueReferences() {}

    /** Takes as much memory as the queue's own references do. */
    static List<Place> of(QueueSnapshot snapshot) {
        List<Place> all = new ArrayList<>(snapshot.size());
        snapshot.forEach((reference, position, storedBytes, deadlineNs, options) ->
                all.add(new Place(reference, position, storedBytes, options)));
        all.sort(Comparator.comparingLong(Place::reference));
        return all;
    }

    /** A reference, and where its message lies. */
    record Place(
            long reference,
            long position,
            int storedBytes,
            @Nullable DeliveryOptions options) {}
}
