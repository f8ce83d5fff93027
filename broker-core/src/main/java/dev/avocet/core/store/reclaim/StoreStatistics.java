package dev.avocet.core.store.reclaim;

/**
 * What the store holds and what it has done since it was opened. Not a snapshot across several figures.
 *
 * @param segments of the journal, the one being written included
 * @param diskBytes that the journal takes, the reserve included
 * @param liveReferences references to messages that are still needed
 * @param liveBytes what their messages take on disk, at most what their segments take
 * @param livePercent share of the segments' room that is alive
 * @param checkpoints taken
 * @param checkpointFailures checkpoints that could not be written
 * @param checkpointNumber of the newest; 0 when there is none of this life
 * @param checkpointAgeNs since the newest was taken, or since the start
 * @param checkpointDurationNs how long the newest took
 * @param droppedSegments given back to the disk
 * @param dropFailures segments that could not be given back
 * @param movedMessages references whose messages were written again so that their segment could go
 * @param movedBytes what these took
 * @param readBackMessages read because they were not in memory any more
 * @param readBackBytes what these took
 * @param waitingReads requests that wait for the reader now
 * @param lostMessages damaged by the disk and given up
 * @param memoryBytes of messages that are kept in memory as well
 */
public record StoreStatistics(
        int segments,
        long diskBytes,
        long liveReferences,
        long liveBytes,
        double livePercent,
        long checkpoints,
        long checkpointFailures,
        long checkpointNumber,
        long checkpointAgeNs,
        long checkpointDurationNs,
        long droppedSegments,
        long dropFailures,
        long movedMessages,
        long movedBytes,
        long readBackMessages,
        long readBackBytes,
        int waitingReads,
        long lostMessages,
        long memoryBytes) {}
