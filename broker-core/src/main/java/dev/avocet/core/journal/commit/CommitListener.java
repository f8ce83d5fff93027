package dev.avocet.core.journal.commit;

/**
 * Hears what the group commit does. Called on the threads of the journal, never on a loop: listeners must be brief.
 */
public interface CommitListener {
    /**
     * A record has been appended; its batch is completed later. On the {@code journal} thread, in the order of the
     * records. What it throws is a failure of the journal.
     *
     * @param segment where the record lies
     * @param references how many references will point into it; may be 0
     * @param referencedBytes what the entries take to which they will point, each counted once for each reference
     */
    void onAppended(int segment, int references, long referencedBytes);

    /**
     * {@link GroupCommit#acceptsMessages} has changed. On the {@code journal-space} thread.
     *
     * @param lack what is missing, for people; empty when nothing is
     */
    void onMessagesAccepted(boolean accepted, String lack);

    /**
     * Nothing more will be committed, and nothing that was not completed so far ever is. Once, on the thread that
     * failed; the broker must end.
     */
    void onFailure(Throwable cause);
}
