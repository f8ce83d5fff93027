package dev.avocet.server.config;

/** What happens to a message for a subscription that holds as many as it may. */
public enum FullBehavior {
    /** The publisher is told that it was refused. */
    REJECT_NEW_MESSAGES("RejectNewMessages"),
    /** The oldest waiting message makes room for it. */
    DISCARD_OLD_MESSAGES("DiscardOldMessages"),
    /** The publisher waits for room, up to a limit of time, and is then told that it was refused. */
    BACKPRESSURE("Backpressure");

    private final String jsonName;

    FullBehavior(String jsonName) {
        this.jsonName = jsonName;
    }

    @Override
    public String toString() {
        return jsonName;
    }
}
