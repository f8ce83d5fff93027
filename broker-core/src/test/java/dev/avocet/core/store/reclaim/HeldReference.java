package dev.avocet.core.store.reclaim;

import dev.avocet.core.store.reclaim.StoreRig.StoredPlace;

/** A reference that a {@link HeldQueue} holds, and what its message was when it was published. */
final class HeldReference {
    private final HeldQueue queue;
    private final long number;
    private final byte[] payload;
    private StoredPlace place;

    HeldReference(HeldQueue queue, long number, StoredPlace place, byte[] payload) {
        this.queue = queue;
        this.number = number;
        this.place = place;
        this.payload = payload;
    }

    long number() {
        return number;
    }

    long position() {
        return place.position();
    }

    int storedBytes() {
        return place.bytes();
    }

    byte[] payload() {
        return payload;
    }

    void acknowledge() {
        queue.acknowledge(this);
    }

    void moved(StoredPlace to) {
        place = to;
    }
}
