package dev.avocet.core.policy;

import java.util.List;
import java.util.Set;

/**
 * A policy about things with names: topics, shared subscriptions, queues.
 *
 * @param clients to whom it applies
 * @param names to what
 * @param actions what it allows; for what else somebody wants it does not count, as no policy forbids anything
 * @param decision the answer where it applies
 * @param <A> what can be done
 */
record Rule<A extends Enum<A>>(ClientFilter clients, TextPattern names, Set<A> actions, Decision decision) {
    /** The rule for a client that it applies to. */
    Bound<A> boundTo(ClientFacts client) {
        return new Bound<>(names.boundTo(client), actions, decision);
    }

    /**
     * A rule that applies to the client at hand.
     *
     * @param names in which its variables are replaced; any of these
     */
    record Bound<A extends Enum<A>>(List<Glob> names, Set<A> actions, Decision decision) {
        boolean allows(String name, A action) {
            if (!actions.contains(action)) {
                return false;
            }
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).matches(name)) {
                    return true;
                }
            }
            return false;
        }
    }
}
