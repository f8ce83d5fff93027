package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Range;

/** Where messages and sessions are kept, and how much disk that may take. */
public record StoreConfig(
        @Doc(
                "What an acknowledged message survives: `sync` the loss of power, `os` the end of the process but not of the"
                        + " machine, `memory` nothing. `--store` overrides it.")
        StoreMode mode,

        @Doc(
                "What the journal is made of: `chronicle` (memory-mapped files of Chronicle Queue) or `file` (plain files)."
                        + " A store keeps the kind that it was made with.")
        JournalKind journal,

        @Doc("Where the store keeps its files; a relative path begins at the data directory.")
        String directory,

        @Doc("Size of a file of the journal. A message may be a quarter of it at most.")
        @Range(min = 1_048_576, max = 1_073_741_824)
        int segmentBytes,

        @Doc("Most heap that the payloads of stored messages take while they wait; what is beyond is read from the disk"
                + " when its turn comes. 0 means a share of the heap.")
        @Range(min = 0, max = Long.MAX_VALUE)
        long payloadCacheBytes,

        @Doc("How often a checkpoint is taken while something happens. More often means a quicker start after a crash.")
        @Range(min = 1, max = 86_400)
        int checkpointIntervalSeconds,

        @Doc("Messages to be stored are refused while fewer bytes of the file system are free; 0 means no such limit.")
        @Range(min = 0, max = Long.MAX_VALUE)
        long diskFreeMinBytes,

        @Doc("The same as a share of the file system's size; the greater of the two counts. 0 means no such limit.")
        @Range(min = 0, max = 99)
        int diskFreeMinPercent,

        @Doc(
                "A file of the journal of which no more than this share is still needed has that share written again, so that"
                        + " it can be deleted. 0 means never.")
        @Range(min = 0, max = 50)
        int stragglerPercent,

        @Doc("Most bytes per second that are written again for that.") @Range(min = 1_024, max = Long.MAX_VALUE)
        long moveBytesPerSecond)
        implements Constrained {
    /** What was acknowledged is safe. */
    public static final StoreMode DEFAULT_MODE = StoreMode.SYNC;
    /** The faster one. */
    public static final JournalKind DEFAULT_JOURNAL = JournalKind.CHRONICLE;
    /** In the data directory. */
    public static final String DEFAULT_DIRECTORY = "store";
    /** 256 MiB: a change of files every few seconds under full load, and few enough files for terabytes. */
    public static final int DEFAULT_SEGMENT_BYTES = 268_435_456;
    /** As the heap allows. */
    public static final long DEFAULT_PAYLOAD_CACHE_BYTES = 0;
    /** A start reads what came since, and half a minute of full load is read in seconds. */
    public static final int DEFAULT_CHECKPOINT_INTERVAL_SECONDS = 30;
    /** 256 MiB: as much as one more segment. */
    public static final long DEFAULT_DISK_FREE_MIN_BYTES = 268_435_456;
    /** The bytes decide. */
    public static final int DEFAULT_DISK_FREE_MIN_PERCENT = 0;
    /** Four fifths of what is written again is won back. */
    public static final int DEFAULT_STRAGGLER_PERCENT = 20;
    /** 16 MiB: a small part of what a disk writes. */
    public static final long DEFAULT_MOVE_BYTES_PER_SECOND = 16_777_216;

    private static final int PAGE_BYTES = 4_096;
    /** A message may take this part of a segment. */
    private static final int MESSAGES_PER_SEGMENT_MIN = 4;

    /** What applies where nothing is configured. */
    public static StoreConfig defaults() {
        return new StoreConfig(
                DEFAULT_MODE,
                DEFAULT_JOURNAL,
                DEFAULT_DIRECTORY,
                DEFAULT_SEGMENT_BYTES,
                DEFAULT_PAYLOAD_CACHE_BYTES,
                DEFAULT_CHECKPOINT_INTERVAL_SECONDS,
                DEFAULT_DISK_FREE_MIN_BYTES,
                DEFAULT_DISK_FREE_MIN_PERCENT,
                DEFAULT_STRAGGLER_PERCENT,
                DEFAULT_MOVE_BYTES_PER_SECOND);
    }

    /** The same in another mode. */
    public StoreConfig in(StoreMode other) {
        return new StoreConfig(
                other,
                journal,
                directory,
                segmentBytes,
                payloadCacheBytes,
                checkpointIntervalSeconds,
                diskFreeMinBytes,
                diskFreeMinPercent,
                stragglerPercent,
                moveBytesPerSecond);
    }

    @Override
    public void check(Problems problems) {
        if (directory.isBlank()) {
            problems.at("directory").add("must not be empty");
        }
        if (segmentBytes % PAGE_BYTES != 0) {
            problems.at("segmentBytes").add(segmentBytes + " is not a multiple of " + PAGE_BYTES);
        }
    }

    /** False when nothing is kept on disk. */
    public boolean isDurable() {
        return mode != StoreMode.MEMORY;
    }

    /** The largest message that can be stored. */
    public int maxMessageSizeBytes() {
        return segmentBytes / MESSAGES_PER_SEGMENT_MIN;
    }
}
