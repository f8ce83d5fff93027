package dev.avocet.core.broker.retained;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.store.Store;
import dev.avocet.core.topic.RetainedMessages;
import dev.avocet.core.topic.RetainedPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads retained messages of an earlier life of the broker when they are wanted for the first time; from then on they
 * are in memory. One that the disk has damaged is given up, counted and named. Any thread.
 */
public final class RetainedReads {
    /** Messages read together, by those who have several to read. */
    static final int TOGETHER = 128;

    private static final long TOGETHER_BYTES = 1 << 20;

    private final RetainedMessages retained;
    private final Store store;

    public RetainedReads(RetainedMessages retained, Store store) {
        this.retained = retained;
        this.store = store;
    }

    /** Whether so much is to be read at once, and not more. */
    public static boolean isEnough(List<RetainedPlace> places) {
        return places.size() >= TOGETHER
                || places.stream().mapToLong(RetainedPlace::storedBytes).sum() >= TOGETHER_BYTES;
    }

    /**
     * Reads messages from where they lie, on another thread.
     *
     * @param then runs on the loop once they are in memory, as far as they are still there
     */
    public void read(List<RetainedPlace> places, IoLoop loop, Runnable then) {
        List<RetainedPlace> held = new ArrayList<>(places.size());
        for (RetainedPlace place : places) {
            if (store.acquire(place.position(), place.storedBytes())) { // its segment stays meanwhile
                held.add(place);
            }
        }
        held.sort(Comparator.comparingLong(RetainedPlace::position));
        if (held.isEmpty()) {
            loop.execute(then);
            return;
        }
        store.fetch(
                held.stream().mapToLong(RetainedPlace::position).toArray(),
                held.stream().mapToInt(RetainedPlace::storedBytes).toArray(),
                held.size(),
                loop,
                messages -> {
                    for (int i = 0; i < held.size(); i++) {
                        take(held.get(i), messages[i]);
                    }
                    then.run();
                });
    }

    @SuppressWarnings("ReferenceEquality") // it stands for a damaged one
    private void take(RetainedPlace place, @Nullable Message message) {
        if (message instanceof StoredMessage stored) {
            retained.read(place, stored);
        } else if (message == QueueStore.DAMAGED && retained.lost(place)) {
            store.lost("the topic '" + place.topic() + "', whose retained one it was", place.position());
        }
        store.abandoned(place.position(), place.storedBytes());
    }
}
