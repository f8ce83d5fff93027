package dev.avocet.core.journal;

/** Another node may serve clients from this store now. The disk is whole; nothing more is committed here. */
public final class TermOverException extends JournalException {
    private static final long serialVersionUID = 1;

    public TermOverException(String message) {
        super(message);
    }
}
