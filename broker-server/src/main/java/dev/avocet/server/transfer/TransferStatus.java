package dev.avocet.server.transfer;

import dev.avocet.core.store.transfer.TransferCounts;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An export or import of sessions, and how far it is. Immutable.
 *
 * @param id of the request
 * @param file its name in the folder {@code export}
 * @param clientId the regular expression for the clients of an export; empty for none, and for an import
 * @param retain the same for the topics of retained messages
 * @param ended null while it goes on
 * @param message what became of it, in a sentence
 * @param counts what is in the file, or was taken out of it
 * @param diagnostics what did not go as it should
 */
public record TransferStatus(
        long id,
        TransferKind kind,
        String file,
        String clientId,
        String retain,
        State state,
        Instant begun,
        @Nullable Instant ended,
        String message,
        TransferCounts counts,
        List<String> diagnostics) {
    /** Copies the list. */
    public TransferStatus {
        diagnostics = List.copyOf(diagnostics);
    }

    /** Which way sessions go. */
    public enum TransferKind {
        /** Out of this broker. */
        EXPORT,
        /** Into it. */
        IMPORT
    }

    /** How far it is. */
    public enum State {
        /** It waits for its turn, or goes on. */
        IN_PROGRESS("InProgress"),
        /** All of it was done. */
        COMPLETED("Completed"),
        /** It was refused, or a part of it could not be done; the message says which. */
        FAILED("Failed");

        private final String shown;

        State(String shown) {
            this.shown = shown;
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    TransferStatus over(State how, String what, TransferCounts howMany, List<String> problems, Instant now) {
        return new TransferStatus(id, kind, file, clientId, retain, how, begun, now, what, howMany, problems);
    }
}
