package dev.avocet.ha;

import dev.avocet.ha.role.PairNode;

/** What an administrator may ask of a standby. */
public enum StandbyOrder {
    /** It leaves those in sync, gets no more records, and is not promoted until it is resumed or its process ends. */
    PAUSE("paused: it leaves those in sync, and is not promoted before it is resumed"),
    /** It follows again. */
    RESUME("resumed: it follows the active node again"),
    /** It becomes active although it may lack what was acknowledged, where the active node does not answer. */
    PROMOTE("asked to lead by force: what the other node alone has acknowledged is lost then");

    private final String meaning;

    StandbyOrder(String meaning) {
        this.meaning = meaning;
    }

    /** Returns why that is refused; empty when it is done or begun. */
    String give(PairNode node) {
        return switch (this) {
            case PAUSE -> node.pause();
            case RESUME -> node.resume();
            case PROMOTE -> node.promote();
        };
    }

    String meaning() {
        return meaning;
    }
}
