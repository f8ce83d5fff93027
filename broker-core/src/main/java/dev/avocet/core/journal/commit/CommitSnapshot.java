package dev.avocet.core.journal.commit;

import org.HdrHistogram.Histogram;

/**
 * What the group commit has done since it began.
 *
 * @param commits times that records were completed: in mode SYNC the forces, more or less
 * @param records records completed; one for each batch that was not empty
 * @param entries entries in these records
 * @param bytes bytes of these records, headers included
 * @param droppedBatches batches that came after a failure or after the close, and were dropped
 * @param lastLatencyNs latency of the batch completed last
 * @param latencyNs from a batch's submission until it was handed back to its loop; its maximum is that of all times
 * @param forceNs duration of a force
 * @param commitRecords records per commit
 */
public record CommitSnapshot(
        long commits,
        long records,
        long entries,
        long bytes,
        long droppedBatches,
        long lastLatencyNs,
        Histogram latencyNs,
        Histogram forceNs,
        Histogram commitRecords) {}
