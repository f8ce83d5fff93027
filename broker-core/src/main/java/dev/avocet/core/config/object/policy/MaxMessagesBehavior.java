package dev.avocet.core.config.object.policy;

/** What happens to a message for a subscription whose limit is reached. */
public enum MaxMessagesBehavior {
    /** The publisher is told that it was refused. */
    REJECT_NEW_MESSAGES("RejectNewMessages"),
    /** The oldest waiting message makes room for it. */
    DISCARD_OLD_MESSAGES("DiscardOldMessages"),
    /** The publisher waits for room, up to a limit of time, and is then told that it was refused. */
    BACKPRESSURE("Backpressure");

    private final String word;

    MaxMessagesBehavior(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
