package dev.avocet.core.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A policy about things with names: topics, shared subscriptions, queues.
 *
 * @param clients to whom it applies
 * @param names to what
 * @param actions what it allows; for other actions it does not count, as no policy forbids anything
 * @param decision the answer where it applies
 * @param <A> what can be done
 */
record Rule<A extends Enum<A>>(ClientFilter clients, TextPattern names, Set<A> actions, Decision decision) {
    /** What the policy is called. */
    String name() {
        return Objects.requireNonNull(decision.limits()).policy().name();
    }

    /** Those of a list that apply to a client, by action, in their order. */
    static <A extends Enum<A>> Map<A, List<Bound>> boundTo(List<Rule<A>> rules, ClientFacts client) {
        Map<A, List<Bound>> bound = new HashMap<>();
        for (Rule<A> rule : rules) {
            if (rule.clients().matches(client)) {
                Bound one = new Bound(List.copyOf(rule.names().boundTo(client)), rule.decision());
                rule.actions()
                        .forEach(action -> bound.computeIfAbsent(action, key -> new ArrayList<>())
                                .add(one));
            }
        }
        return Collections.unmodifiableMap(bound);
    }

    /**
     * A rule that applies to the client at hand.
     *
     * @param names in which its variables are replaced; any of these
     */
    record Bound(List<Glob> names, Decision decision) {
        boolean matchesAll() {
            return names.stream().anyMatch(Glob::matchesAll);
        }

        boolean matches(String name) {
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).matches(name)) {
                    return true;
                }
            }
            return false;
        }
    }
}
