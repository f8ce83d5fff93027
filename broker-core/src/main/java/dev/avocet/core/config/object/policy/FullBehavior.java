package dev.avocet.core.config.object.policy;

/** What happens to a message that finds a queue or a subscription full. */
public enum FullBehavior {
    /** It is refused, and a publisher that expects an acknowledgement is told so. */
    REJECT_NEW_MESSAGES("RejectNewMessages"),
    /** The oldest waiting messages make room for it: they are removed until 95 % of the limit are left. */
    DISCARD_OLD_MESSAGES("DiscardOldMessages"),
    /** The publisher waits for room, up to a limit of time, and is then told that it was refused. */
    BACKPRESSURE("Backpressure");

    private final String word;

    FullBehavior(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
