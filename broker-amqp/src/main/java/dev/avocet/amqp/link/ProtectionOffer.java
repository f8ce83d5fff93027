package dev.avocet.amqp.link;

import dev.avocet.core.config.object.policy.ProtectionPolicy;
import dev.avocet.core.policy.ProtectionRule;
import dev.avocet.core.policy.ProtectionRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.protonj2.engine.Link;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client that asks for it, by the link property {@code avocet:protection}, how messages of the link have to be
 * sealed: the answer has a list under the same name, with a map for each policy that may hold, the one that holds
 * before others that match as well. Nothing is said where nothing is protected.
 */
public final class ProtectionOffer {
    static final Symbol PROPERTY = Symbol.valueOf("avocet:protection");
    /** With which a receiver rejects a message whose protection does not hold. */
    public static final Symbol VIOLATED = Symbol.valueOf("avocet:protection-violated");

    private ProtectionOffer() {}

    /** For a link whose queue is known. */
    public static void ofQueue(Link<?> link, ProtectionRules rules, String name) {
        offer(link, only(rules.ofQueue(name)), List.of());
    }

    /** For a link to one topic. */
    public static void ofTopic(Link<?> link, ProtectionRules rules, String name) {
        offer(link, List.of(), only(rules.ofTopic(name)));
    }

    /** For a link from several topics. */
    public static void ofTopics(Link<?> link, ProtectionRules rules) {
        offer(link, List.of(), rules.topics());
    }

    /** For a link on which each message says where it goes. */
    public static void ofAll(Link<?> link, ProtectionRules rules) {
        offer(link, rules.queues(), rules.topics());
    }

    private static List<ProtectionRule> only(@Nullable ProtectionRule rule) {
        return rule == null ? List.of() : List.of(rule);
    }

    private static void offer(Link<?> link, List<ProtectionRule> queues, List<ProtectionRule> topics) {
        Map<Symbol, Object> asked = link.getRemoteProperties();
        if (asked == null || !asked.containsKey(PROPERTY) || queues.isEmpty() && topics.isEmpty()) {
            return;
        }
        List<Map<Symbol, Object>> offered = new ArrayList<>();
        queues.forEach(
                rule -> offered.add(terms(rule.policy(), "queue", rule.policy().queue())));
        topics.forEach(
                rule -> offered.add(terms(rule.policy(), "topic", rule.policy().topic())));
        Map<Symbol, Object> properties = new HashMap<>();
        properties.put(PROPERTY, offered);
        link.setProperties(properties);
    }

    private static Map<Symbol, Object> terms(ProtectionPolicy policy, String kind, String pattern) {
        Map<Symbol, Object> terms = new LinkedHashMap<>();
        terms.put(Symbol.valueOf("policy"), policy.name());
        terms.put(Symbol.valueOf(kind), pattern);
        terms.put(Symbol.valueOf("protection"), policy.protection().toString());
        terms.put(Symbol.valueOf("digest"), policy.digestAlgorithm().toString());
        terms.put(Symbol.valueOf("cipher"), policy.encryptionAlgorithm().toString());
        terms.put(Symbol.valueOf("signers"), policy.signers());
        terms.put(Symbol.valueOf("recipients"), policy.recipients());
        terms.put(Symbol.valueOf("key-reuse"), policy.keyReuse());
        terms.put(Symbol.valueOf("key-lifetime"), policy.keyLifetimeSeconds());
        return terms;
    }
}
