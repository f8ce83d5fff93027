package dev.avocet.ha;

/**
 * How far the standby is behind, as far as this node knows; -1 for what it does not know.
 *
 * @param bytes of the active node's log that are not on the standby's disk
 * @param records of the log that the standby has not confirmed; the active node knows, in groups of records
 * @param ms age of the oldest of these records in milliseconds, 0 where there is none; the active node knows
 */
public record Lag(long bytes, long records, long ms) {
    /** Nothing is known. */
    public static final Lag UNKNOWN = new Lag(-1, -1, -1);
}
