package dev.avocet.core.journal;

/** When a batch counts as committed. */
public enum CommitMode {
    /** When the disk has it: survives loss of power. */
    SYNC,
    /** When the operating system has it: survives the end of the process, not of the machine. */
    OS
}
