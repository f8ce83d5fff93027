package dev.avocet.core.policy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.policy.ProtectionPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All policies by which destinations take sealed messages only. Immutable; any thread. */
public final class ProtectionRules {
    /** Nothing is protected. */
    public static final ProtectionRules NONE = new ProtectionRules(List.of());

    /** The most specific first. */
    private final List<ProtectionRule> queues;

    private final List<ProtectionRule> topics;

    private ProtectionRules(List<ProtectionPolicy> policies) {
        this.queues = rules(policies, ProtectionPolicy::queue);
        this.topics = rules(policies, ProtectionPolicy::topic);
    }

    /** Those of a configuration. */
    public static ProtectionRules of(Configuration configuration) {
        List<ProtectionPolicy> policies = new ArrayList<>();
        configuration.all(ProtectionPolicy.class).forEach(policies::add);
        return policies.isEmpty() ? NONE : new ProtectionRules(policies);
    }

    private static List<ProtectionRule> rules(
            List<ProtectionPolicy> policies, Function<ProtectionPolicy, String> pattern) {
        return policies.stream()
                .filter(policy -> !pattern.apply(policy).isEmpty())
                .sorted(Comparator.comparingInt((ProtectionPolicy policy) -> -literals(pattern.apply(policy)))
                        .thenComparing(ProtectionPolicy::name))
                .map(policy -> new ProtectionRule(policy, Glob.of(pattern.apply(policy))))
                .toList();
    }

    private static int literals(String pattern) {
        return (int) pattern.chars().filter(c -> c != '*').count();
    }

    public boolean isEmpty() {
        return queues.isEmpty() && topics.isEmpty();
    }

    /** The rule that holds for a queue; null for none. */
    public @Nullable ProtectionRule ofQueue(String name) {
        return first(queues, name);
    }

    /** The rule that holds for a topic; null for none. */
    public @Nullable ProtectionRule ofTopic(String name) {
        return first(topics, name);
    }

    /** Those for queues, the one that holds before others that match as well. */
    public List<ProtectionRule> queues() {
        return queues;
    }

    /** Those for topics, in the same order. */
    public List<ProtectionRule> topics() {
        return topics;
    }

    private static @Nullable ProtectionRule first(List<ProtectionRule> rules, String name) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).names().matches(name)) {
                return rules.get(i);
            }
        }
        return null;
    }
}
