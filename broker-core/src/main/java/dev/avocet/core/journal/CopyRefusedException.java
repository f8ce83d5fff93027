package dev.avocet.core.journal;

/** A record of another node is not the one that this journal goes on with. Nothing of it was written. */
public final class CopyRefusedException extends JournalException {
    private static final long serialVersionUID = 1;

    public CopyRefusedException(String message) {
        super(message);
    }
}
