package dev.avocet.jms.client.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.qpid.protonj2.engine.Link;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * What our broker says, because a link asks for it, about how messages have to be sealed: rules in a list under the
 * link property {@code avocet:protection}, the one that holds before others that match as well. Immutable.
 */
public final class LinkProtection {
    private static final Symbol PROPERTY = Symbol.valueOf("avocet:protection");
    /** What is asked for; other servers pass over it. */
    static final Map<Symbol, Object> ASKED = Map.of(PROPERTY, true);

    private static final String QUEUE = "queue";
    private static final String TOPIC = "topic";

    private final List<Rule> rules;

    private LinkProtection(final List<Rule> rules) {
        this.rules = rules;
    }

    private record Rule(boolean topic, Pattern names, Map<String, Object> terms) {}

    /** The server's word; null: nothing is protected. */
    static @Nullable LinkProtection of(final Link<?> link) {
        final Map<Symbol, Object> said = link.getRemoteProperties();
        if (said == null || !(said.get(PROPERTY) instanceof final List<?> list)) {
            return null;
        }
        final List<Rule> rules = new ArrayList<>();
        for (final Object one : list) {
            if (one instanceof final Map<?, ?> map) {
                final Map<String, Object> terms = new LinkedHashMap<>();
                map.forEach((name, value) -> terms.put(String.valueOf(name), value));
                final boolean topic = terms.containsKey(TOPIC);
                final Object pattern = terms.get(topic ? TOPIC : QUEUE);
                rules.add(new Rule(topic, glob(String.valueOf(pattern)), terms));
            }
        }
        return rules.isEmpty() ? null : new LinkProtection(rules);
    }

    private static Pattern glob(final String text) {
        final StringBuilder pattern = new StringBuilder();
        for (final String part : text.split("\\*", -1)) {
            pattern.append(pattern.length() == 0 ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.compile(pattern.toString(), Pattern.DOTALL);
    }

    /** What is asked of the messages of a queue or a topic, by name; null: nothing. */
    public @Nullable Map<String, Object> termsOf(final boolean topic, final String name) {
        for (final Rule rule : rules) {
            if (rule.topic() == topic && rule.names().matcher(name).matches()) {
                return rule.terms();
            }
        }
        return null;
    }
}
