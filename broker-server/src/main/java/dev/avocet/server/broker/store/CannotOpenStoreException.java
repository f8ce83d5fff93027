package dev.avocet.server.broker.store;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.FormerStoreException;
import dev.avocet.core.journal.JournalException;
import java.nio.file.Path;

/**
 * The store cannot be opened. The message says where, why and what can be done. Has no stack trace: the files are at
 * fault.
 */
public final class CannotOpenStoreException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * A message for the administrator who starts the broker.
     *
     * @param dataDirectory for the commands that the message advises
     */
    public CannotOpenStoreException(Path dataDirectory, JournalException cause) {
        super("the store cannot be opened: " + cause.getMessage() + advice(dataDirectory, cause), null, false, false);
    }

    private static String advice(Path dataDirectory, JournalException cause) {
        String data = " --data " + dataDirectory;
        if (cause instanceof FormerStoreException) {
            return line("to upgrade it: broker store upgrade" + data);
        }
        String looks = line("to see what is there: broker-admin store stat --offline" + data)
                + line("to check all of it: broker-admin store verify" + data);
        return cause instanceof CorruptJournalException
                ? looks + line("to go on without what is damaged: broker-admin store repair" + data)
                : looks;
    }

    private static String line(String advice) {
        return System.lineSeparator() + "  " + advice;
    }
}
