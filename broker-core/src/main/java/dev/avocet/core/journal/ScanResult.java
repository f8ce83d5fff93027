package dev.avocet.core.journal;

/**
 * What a scan has found at the end of the log.
 *
 * @param records of the log
 * @param lastSequence of the last of them; 0 when there is none
 * @param lastEpoch the highest epoch of any record, also of one that was skipped; 0 when there is none
 * @param tornTails places at which a crash had left something unfinished, which was never acknowledged
 */
public record ScanResult(long records, long lastSequence, int lastEpoch, int tornTails) {}
