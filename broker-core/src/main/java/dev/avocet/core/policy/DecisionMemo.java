package dev.avocet.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Where the last decision about publishing to a topic is noted: with its route, which is at hand for each message
 * anyway, and bounded in number as routes are. A lost write does no harm.
 */
public interface DecisionMemo {
    /** What was noted last; null at first. */
    @Nullable Noted noted();

    void note(Noted decision);

    /**
     * A decision and for whom it holds. Immutable.
     *
     * @param rules those that the decision follows from; compared by identity
     */
    record Noted(ClientPolicies rules, Decision decision) {}
}
