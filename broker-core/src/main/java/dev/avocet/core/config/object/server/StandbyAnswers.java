package dev.avocet.core.config.object.server;

/** What clients find at the endpoints of a standby. */
public enum StandbyAnswers {
    /** Nothing listens there. */
    CLOSED("Closed"),
    /** The address of the active node. */
    REDIRECT("Redirect");

    private final String word;

    StandbyAnswers(String word) {
        this.word = word;
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
