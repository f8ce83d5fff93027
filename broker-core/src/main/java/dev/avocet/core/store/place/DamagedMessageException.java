package dev.avocet.core.store.place;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;

/** The disk has answered, and not with the message that was written there. The message is lost; others need not be. */
public final class DamagedMessageException extends JournalException {
    private static final long serialVersionUID = 1L;

    public DamagedMessageException(long position, int bytes) {
        super("what lies at " + Position.show(position) + " is not the message of " + bytes
                + " bytes that was written there");
    }
}
