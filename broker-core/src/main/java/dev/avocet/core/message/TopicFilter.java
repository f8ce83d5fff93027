package dev.avocet.core.message;

import java.util.ArrayList;
import java.util.List;

/**
 * What a subscription wants: a topic name in which {@code +} stands for one whole level and a final {@code #} for any
 * number of levels, the parent included.
 *
 * <p>Immutable. This is the plain filter: prefixes such as {@code $share/NAME/} are taken off by the front end before.
 */
public final class TopicFilter {
    private final String text;
    private final List<String> levels;
    private final boolean wildcard;

    private TopicFilter(String text, List<String> levels, boolean wildcard) {
        this.text = text;
        this.levels = levels;
        this.wildcard = wildcard;
    }

    /**
     * A filter from text. {@link IllegalArgumentException} when it is empty, longer than {@value TopicName#MAX_BYTES}
     * bytes, holds U+0000, or has a wildcard that is not a whole level [MQTT-4.7.1-2] or a {@code #} that is not the
     * last one [MQTT-4.7.1-1].
     */
    public static TopicFilter of(String text) {
        if (text.isEmpty() || text.length() > TopicName.MAX_BYTES || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "a topic filter is 1 to " + TopicName.MAX_BYTES + " bytes long and holds no U+0000");
        }
        List<String> levels = split(text);
        boolean wildcard = false;
        for (int i = 0; i < levels.size(); i++) {
            String level = levels.get(i);
            boolean hash = level.indexOf('#') >= 0;
            if (hash && (level.length() > 1 || i < levels.size() - 1)) {
                throw new IllegalArgumentException("'#' must be the last level and stand alone: " + text);
            }
            if (level.indexOf('+') >= 0 && level.length() > 1) {
                throw new IllegalArgumentException("'+' must stand alone in its level: " + text);
            }
            wildcard |= hash || level.equals("+");
        }
        return new TopicFilter(text, List.copyOf(levels), wildcard);
    }

    /** Splits at every {@code /}; empty levels count, so {@code "/"} has two of them. */
    public static List<String> split(String text) {
        List<String> levels = new ArrayList<>(8);
        int from = 0;
        for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', from)) {
            levels.add(text.substring(from, slash));
            from = slash + 1;
        }
        levels.add(text.substring(from));
        return levels;
    }

    /** The filter as text. */
    public String text() {
        return text;
    }

    /** The levels between the slashes, at least one. */
    public List<String> levels() {
        return levels;
    }

    /** True when some level is a wildcard. */
    public boolean hasWildcard() {
        return wildcard;
    }

    /** True for filters that begin with {@code $}. */
    public boolean isReserved() {
        return text.charAt(0) == '$';
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TopicFilter that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
