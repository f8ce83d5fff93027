package dev.avocet.core.selector;

import java.io.Serial;

/** A text is no selector. The message says what is wrong and where, for its author. Without a stack trace. */
public final class InvalidSelectorException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final int position;

    InvalidSelectorException(String message, int position) {
        super(message, null, false, false);
        this.position = position;
    }

    /** The index of the character in the text at which it went wrong, from 0; -1 when it is not known. */
    public int position() {
        return position;
    }
}
