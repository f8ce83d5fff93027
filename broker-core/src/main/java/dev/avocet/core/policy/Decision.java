package dev.avocet.core.policy;

import dev.avocet.core.selector.Selector;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a client that wants to do something. Immutable.
 *
 * @param allowed whether it may be done
 * @param limits how much; null where it is not allowed, and where no policy says anything and the broker's own limits
 *     hold
 * @param selection which messages a subscription gets that brings no selector; null for all
 */
public record Decision(
        boolean allowed, @Nullable Limits limits, @Nullable Selector selection) {
    /** No policy allows it. */
    public static final Decision DENIED = new Decision(false, null, null);
    /** There are no policies, so everything is allowed. */
    public static final Decision OPEN = new Decision(true, null, null);

    /** Without a selection. */
    public Decision(boolean allowed, @Nullable Limits limits) {
        this(allowed, limits, null);
    }

    /** Seconds that a message may live that is published so, {@link Limits#UNLIMITED} when that is not limited. */
    public long maxTimeToLiveSeconds() {
        return limits == null ? Limits.UNLIMITED : limits.maxTimeToLiveSeconds();
    }
}
