package dev.avocet.core.store.transfer;

import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.store.transfer.QueueReferences.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages of one queue, which the store may move from the moment their places were noted. What does not lie
 * where it did is looked up and read again. One owner, which waits for the loops and the disk.
 */
final class MovingMessages {
    /** The store moves a message while it is being read at most so often. */
    static final int ATTEMPTS = 5;

    private final Reads reads;
    private final References references;

    MovingMessages(Reads reads, References references) {
        this.reads = reads;
        this.references = references;
    }

    /**
     * The messages in the order of the places; {@link QueueStore#DAMAGED} in place of one that cannot be read, null in
     * place of one that has left the queue meanwhile.
     *
     * @throws TransferException also when the store moves a message each time before it is read
     */
    @Nullable Message[] read(List<Place> places) throws TransferException {
        @Nullable Message[] found = new Message[places.size()];
        List<Slot> unread = new ArrayList<>(places.size());
        for (Place place : places) {
            unread.add(new Slot(unread.size(), place));
        }
        for (int attempt = 0; attempt < ATTEMPTS && !unread.isEmpty(); attempt++) {
            unread = readInto(found, unread);
            if (!unread.isEmpty()) {
                unread = whereTheyAreNow(unread);
            }
        }
        for (Slot slot : unread) {
            if (found[slot.index()] == null) {
                throw movedEachTime();
            }
        }
        return found;
    }

    static TransferException movedEachTime() {
        return new TransferException(
                "the store has moved a message " + ATTEMPTS + " times while it was being read; export again");
    }

    /** Those that do not lie where they did, or are damaged there. */
    private List<Slot> readInto(@Nullable Message[] found, List<Slot> slots) throws TransferException {
        @Nullable Message[] messages = reads.fetch(slots.stream().map(Slot::place).toList());
        List<Slot> unread = new ArrayList<>();
        for (int i = 0; i < messages.length; i++) {
            Message message = messages[i];
            found[slots.get(i).index()] = message;
            if (message == null || message == QueueStore.DAMAGED) {
                unread.add(slots.get(i));
            }
        }
        return unread;
    }

    /** Those that are in the queue still. */
    private List<Slot> whereTheyAreNow(List<Slot> slots) throws TransferException {
        Map<Long, Place> present = new HashMap<>();
        for (Place place : references.now()) {
            present.put(place.reference(), place);
        }
        List<Slot> still = new ArrayList<>();
        for (Slot slot : slots) {
            Place place = present.get(slot.place().reference());
            if (place != null) {
                still.add(new Slot(slot.index(), place));
            }
        }
        return still;
    }

    /** Which of the messages that are asked for it is, and where it was last seen. */
    private record Slot(int index, Place place) {}

    /** Reads what lies at places; null in place of what lies there no longer. */
    interface Reads {
        @Nullable Message[] fetch(List<Place> places) throws TransferException;
    }

    /** The references of the queue, as they are. */
    interface References {
        List<Place> now() throws TransferException;
    }
}
