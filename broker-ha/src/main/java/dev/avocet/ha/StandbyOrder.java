package dev.avocet.ha;

import dev.avocet.ha.role.PairNode;
import java.util.function.Function;

/** What an administrator may ask of a standby. */
public enum StandbyOrder {
    /** It leaves those in sync, gets no more records, and is not promoted until it is resumed or its process ends. */
    PAUSE(PairNode::pause, "paused: it leaves those in sync, and is not promoted before it is resumed"),
    /** It follows again. */
    RESUME(PairNode::resume, "resumed: it follows the active node again");

    private final Function<PairNode, String> order;
    private final String meaning;

    StandbyOrder(Function<PairNode, String> order, String meaning) {
        this.order = order;
        this.meaning = meaning;
    }

    /** Returns why that is refused; empty when it is done or begun. */
    String give(PairNode node) {
        return order.apply(node);
    }

    String meaning() {
        return meaning;
    }
}
