package dev.avocet.core.store.reclaim;

/**
 * A segment of the journal of a store that is open, and why it is kept.
 *
 * @param file its name
 * @param sizeBytes room on disk that it takes
 * @param liveReferences queues and topics that need a message in it
 * @param liveBytes what these messages take, each counted once for each reference
 */
public record SegmentState(
        int number, String file, long sizeBytes, long liveReferences, long liveBytes, Keeper keeper) {
    /** How much of it is alive, in per cent. */
    public double livePercent() {
        return sizeBytes == 0 ? 0 : Math.min(100, 100.0 * liveBytes / sizeBytes);
    }

    /** Why a segment is there. */
    public enum Keeper {
        /** It is being written. */
        WRITER("Written"),
        /** Messages in it are needed. */
        MESSAGES("Messages"),
        /** Nothing in it is needed, but another part reads it: a standby that is behind, for example. */
        READER("Pinned"),
        /** Nothing in it is needed, and it goes when two more checkpoints are taken. */
        CHECKPOINT("Checkpoint"),
        /** Nothing in it is needed, and its room could not be given back to the disk. */
        DISK("DropFailed"),
        /** It has fewer references than none, which is a defect of the broker. */
        MISCOUNT("Miscounted");

        private final String word;

        Keeper(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }
}
