package dev.avocet.core.topic;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * What a topic has in the {@link RetainedMessages}. Each form that the journal knows has a <em>claim</em>: the position
 * of the entry that made it so. Of two, the one with the higher claim is true, in whatever order the event loops hear
 * of them. Immutable.
 */
sealed interface RetainedState {
    /** The claim of what no journal knows. */
    long NO_CLAIM = 0;

    /** What the journal says of the topic, or null when it says nothing. */
    default @Nullable RetainedState saved() {
        return this;
    }

    /** The position of the entry that made it so. */
    long claim();

    /** Where the message lies in the store; 0 when it does not lie there. */
    default long position() {
        return 0;
    }

    /** What it takes there; 0 when it does not lie there. */
    default int storedBytes() {
        return 0;
    }

    /** What subscribers get, as far as it is in memory. */
    default @Nullable Message message() {
        return null;
    }

    /** Whether the topic counts among those that hold a message. */
    default boolean isCounted() {
        return true;
    }

    /** What it occupies in memory. */
    default long sizeBytes() {
        return 0;
    }

    /** The claim of what the journal says of a topic; {@link #NO_CLAIM} when it says nothing. */
    static long claimOf(@Nullable RetainedState state) {
        RetainedState saved = state == null ? null : state.saved();
        return saved == null ? NO_CLAIM : saved.claim();
    }

    /** A message in memory, which lies in the store too if there is one. */
    record Kept(Message message, long claim) implements RetainedState {
        @Override
        public long sizeBytes() {
            return message.sizeBytes();
        }

        @Override
        public long position() {
            return message instanceof StoredMessage stored ? stored.position() : 0;
        }

        @Override
        public int storedBytes() {
            return message instanceof StoredMessage stored ? stored.storedBytes() : 0;
        }
    }

    /** A message that lies in the store, and was not read yet in this life of the broker. */
    record OnDisk(long position, int storedBytes, long claim) implements RetainedState {
        private static final int HEAP_BYTES = 32;

        @Override
        public long sizeBytes() {
            return HEAP_BYTES;
        }
    }

    /** Nothing, by an entry with this claim: what has a lower one comes too late. */
    record Removed(long claim) implements RetainedState {
        @Override
        public boolean isCounted() {
            return false;
        }
    }

    /**
     * A message that subscribers get already, and whose entry is not durable yet. An empty one hides what the journal
     * has.
     *
     * @param removes whether it is an empty one
     * @param saved what the journal says until then
     * @param pending false when its entry is never written: then the next one that is takes its place
     */
    record Unsaved(
            Message unsaved, boolean removes, @Nullable RetainedState saved, boolean pending) implements RetainedState {
        /** The same over another state of the journal. */
        Unsaved over(@Nullable RetainedState now) {
            return new Unsaved(unsaved, removes, now, pending);
        }

        @Override
        public long claim() {
            return claimOf(saved);
        }

        @Override
        public @Nullable Message message() {
            return removes ? null : unsaved;
        }

        @Override
        public boolean isCounted() {
            return !removes || (saved != null && saved.isCounted());
        }

        @Override
        public long sizeBytes() {
            return unsaved.sizeBytes() + (saved == null ? 0 : saved.sizeBytes());
        }
    }
}
