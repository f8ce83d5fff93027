package dev.avocet.ha.log;

import dev.avocet.core.journal.Position;

/** The pair counts from the first record on, the journal from {@link Position#FIRST}: 0 is an empty log to the pair. */
final class LogPositions {
    private LogPositions() {}

    static long ofJournal(long position) {
        return position - Position.FIRST;
    }

    static long inJournal(long position) {
        return position + Position.FIRST;
    }
}
