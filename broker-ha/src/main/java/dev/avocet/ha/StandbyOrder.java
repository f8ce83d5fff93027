package dev.avocet.ha;

/** What an administrator may ask of a standby. */
public enum StandbyOrder {
    /** It leaves those in sync, gets no more records, and is not promoted until it is resumed or its process ends. */
    PAUSE("paused: it leaves those in sync, and is not promoted before it is resumed"),
    /** It follows again. */
    RESUME("resumed: it follows the active node again");

    private final String meaning;

    StandbyOrder(String meaning) {
        this.meaning = meaning;
    }

    String meaning() {
        return meaning;
    }
}
