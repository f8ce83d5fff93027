package dev.avocet.core.queue.receiver;

import dev.avocet.core.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver wants of a queue.
 *
 * @param selector which messages it takes; null for all
 * @param priority receivers with a higher one are served first, as long as they have credit; 0 unless the client
 *     asks for another
 * @param browses true when it only looks: it gets each message once that waits when it first has credit, oldest of the
 *     highest priority first, and takes none
 * @param exclusive true when it wants to be the only one that is served; other receivers wait until it has gone
 * @param only the reference of the only message that a browser looks at; null for all
 */
public record ReceiverOptions(
        @Nullable Selector selector,
        int priority,
        boolean browses,
        boolean exclusive,
        @Nullable Long only) {
    /** Takes everything, at the usual priority. */
    public static final ReceiverOptions DEFAULT = new ReceiverOptions(null, 0, false, false);

    /** Not of one message only. */
    public ReceiverOptions(@Nullable Selector selector, int priority, boolean browses, boolean exclusive) {
        this(selector, priority, browses, exclusive, null);
    }

    /** Takes what a selector matches. */
    public static ReceiverOptions selecting(@Nullable Selector selector) {
        return new ReceiverOptions(selector, 0, false, false);
    }

    /** Looks at what a selector matches; null for everything. */
    public static ReceiverOptions browsing(@Nullable Selector selector) {
        return new ReceiverOptions(selector, 0, true, false);
    }

    /** Looks at one message, if it waits. */
    public static ReceiverOptions browsingOnly(long reference) {
        return new ReceiverOptions(null, 0, true, false, reference);
    }
}
