package dev.avocet.core.policy;

import java.util.List;

/** A text with gaps, each for any characters or none. Immutable; matching allocates nothing. */
public final class Glob {
    private final String[] parts;
    private final int lengthMin;

    /** @param parts what stands before, between and behind the gaps; one part is a text without any */
    Glob(List<String> parts) {
        this.parts = parts.toArray(String[]::new);
        this.lengthMin = parts.stream().mapToInt(String::length).sum();
    }

    /** A pattern in which each {@code *} is a gap. */
    public static Glob of(String pattern) {
        return new Glob(List.of(pattern.split("\\*", -1)));
    }

    /** Whether it is a gap and nothing else. */
    boolean matchesAll() {
        return lengthMin == 0 && parts.length > 1;
    }

    /** Takes time in proportion to the length of the text and of the pattern. */
    public boolean matches(String text) {
        String first = parts[0];
        if (parts.length == 1) {
            return first.equals(text);
        }
        String last = parts[parts.length - 1];
        return text.length() >= lengthMin && text.startsWith(first) && text.endsWith(last) && matchesBetween(text);
    }

    /** The earliest place of a part leaves the most for those behind it, so no choice has to be taken back. */
    private boolean matchesBetween(String text) {
        int from = parts[0].length();
        int to = text.length() - parts[parts.length - 1].length();
        for (int i = 1; i < parts.length - 1; i++) {
            int found = text.indexOf(parts[i], from);
            if (found < 0 || found + parts[i].length() > to) {
                return false;
            }
            from = found + parts[i].length();
        }
        return true;
    }
}
