package dev.avocet.core.journal;

import java.io.IOException;

/** The storage has failed, or refuses. The message names the file and says what to do. */
public class JournalException extends IOException {
    private static final long serialVersionUID = 1L;

    public JournalException(String message) {
        super(message);
    }

    public JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
