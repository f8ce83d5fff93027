package dev.avocet.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * The answer to somebody who wants to do something. Immutable.
 *
 * @param allowed whether it may be done
 * @param limits how much; null where it is not allowed, and where no policy says anything and the broker's own limits hold
 */
public record Decision(boolean allowed, @Nullable Limits limits) {
    /** No policy allows it. */
    public static final Decision DENIED = new Decision(false, null);
    /** There are no policies, so everything is allowed. */
    public static final Decision OPEN = new Decision(true, null);

    /** Seconds that a message may live that is published so, {@link Limits#UNLIMITED} when that is not limited. */
    public long maxTimeToLiveSeconds() {
        return limits == null ? Limits.UNLIMITED : limits.maxTimeToLiveSeconds();
    }
}
