package dev.avocet.core.journal;

/**
 * What a scan has found at the end of the log.
 *
 * @param records valid records seen
 * @param lastSequence of the last valid record; 0 when there is none
 * @param lastEpoch of the last valid record; 0 when there is none
 * @param tornTails places at which a crash had left something unfinished, which was never acknowledged
 */
public record ScanResult(long records, long lastSequence, int lastEpoch, int tornTails) {}
