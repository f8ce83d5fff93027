package dev.avocet.jms.client.protection;

import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.protection.ProtectionLevel;
import dev.avocet.protection.ProtectionTerms;
import dev.avocet.protection.SubjectName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * What the server says about the protection of a link's messages, as its attach frame has it: a list of maps, the one
 * that holds before others that match as well. Immutable.
 */
final class LinkTerms {
    private final List<Rule> rules;

    private LinkTerms(final List<Rule> rules) {
        this.rules = rules;
    }

    private record Rule(boolean topic, Pattern names, ProtectionTerms terms) {}

    /**
     * @param remote the value of the link property
     * @throws IllegalArgumentException when it is none that this client knows
     */
    static LinkTerms of(final Object remote) {
        if (!(remote instanceof final List<?> list)) {
            throw new IllegalArgumentException("the server does not say how messages are protected");
        }
        final List<Rule> rules = new ArrayList<>();
        for (final Object one : list) {
            if (one instanceof final Map<?, ?> map) {
                rules.add(rule(map));
            }
        }
        return new LinkTerms(rules);
    }

    private static Rule rule(final Map<?, ?> map) {
        final boolean topic = map.containsKey(Symbol.valueOf("topic"));
        return new Rule(
                topic,
                glob(text(map, topic ? "topic" : "queue")),
                new ProtectionTerms(
                        text(map, "policy"),
                        ProtectionLevel.of(text(map, "protection")),
                        ProtectionTerms.Digest.of(text(map, "digest")),
                        ProtectionTerms.Cipher.of(text(map, "cipher")),
                        SubjectName.list(text(map, "signers")),
                        SubjectName.list(text(map, "recipients")),
                        number(map, "key-reuse"),
                        Duration.ofSeconds(number(map, "key-lifetime"))));
    }

    private static String text(final Map<?, ?> map, final String name) {
        return Objects.toString(map.get(Symbol.valueOf(name)), "");
    }

    private static int number(final Map<?, ?> map, final String name) {
        return map.get(Symbol.valueOf(name)) instanceof final Number number ? number.intValue() : 1;
    }

    private static Pattern glob(final String text) {
        final StringBuilder pattern = new StringBuilder();
        for (final String part : text.split("\\*", -1)) {
            pattern.append(pattern.length() == 0 ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.compile(pattern.toString(), Pattern.DOTALL);
    }

    /** What holds for a destination; null: nothing. */
    @Nullable ProtectionTerms find(final JmsDestination destination) {
        for (final Rule rule : rules) {
            if (rule.topic() == destination.kind().isTopic()
                    && rule.names().matcher(destination.name()).matches()) {
                return rule.terms();
            }
        }
        return null;
    }
}
