package dev.avocet.server.broker.content;

import org.jspecify.annotations.Nullable;

/**
 * A transaction that is in doubt, or that an administrator has ended in the place of its coordinator.
 *
 * @param branch its branch identifier as {@link dev.avocet.core.transaction.BranchId#toString} writes it
 * @param messages that it publishes; 0 once it is over
 * @param acknowledgements that it makes; 0 once it is over
 * @param preparedAtMs when it was prepared, or came back after a restart, in milliseconds since 1970; 0 once it is over
 * @param user who has prepared it; null where that client had no user name, and once it is over
 */
public record TransactionFacts(
        String branch,
        State state,
        int messages,
        int acknowledgements,
        long preparedAtMs,
        @Nullable String user) {
    /** How it is. The names are those of the reference product. */
    public enum State {
        PREPARED("Prepared"),
        HEURISTIC_COMMIT("HeuristicCommit"),
        HEURISTIC_ROLLBACK("HeuristicRollback");

        private final String word;

        State(String word) {
            this.word = word;
        }

        @Override
        public String toString() {
            return word;
        }
    }
}
