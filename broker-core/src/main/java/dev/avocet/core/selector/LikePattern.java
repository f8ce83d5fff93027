package dev.avocet.core.selector;

import org.jspecify.annotations.Nullable;

/**
 * The pattern of a LIKE: {@code _} stands for one character, {@code %} for any number of them. Matching never goes back
 * behind the last {@code %}, so no pattern makes it slow.
 */
final class LikePattern {
    private static final char ANY = '%';
    private static final char ONE = '_';

    private final char[] characters;
    private final boolean[] wild;

    private LikePattern(char[] characters, boolean[] wild) {
        this.characters = characters;
        this.wild = wild;
    }

    /**
     * @param escape the character behind which the next one stands for itself; -1 for none
     * @return null when the text ends with the escape character
     */
    static @Nullable LikePattern of(String text, int escape) {
        StringBuilder characters = new StringBuilder(text.length());
        boolean[] wild = new boolean[text.length()];
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == escape) {
                if (++i == text.length()) {
                    return null;
                }
                characters.append(text.charAt(i));
            } else {
                wild[characters.length()] = c == ANY || c == ONE;
                characters.append(c);
            }
        }
        return new LikePattern(characters.toString().toCharArray(), wild);
    }

    boolean matches(String text) {
        int at = 0;
        int in = 0;
        int lastAny = -1;
        int retry = 0;
        while (in < text.length()) {
            if (at < characters.length && isAny(at)) {
                lastAny = at++;
                retry = in;
            } else if (at < characters.length && (isOne(at) || characters[at] == text.charAt(in) && !wild[at])) {
                at++;
                in++;
            } else if (lastAny >= 0) {
                at = lastAny + 1;
                in = ++retry;
            } else {
                return false;
            }
        }
        while (at < characters.length && isAny(at)) {
            at++;
        }
        return at == characters.length;
    }

    private boolean isAny(int at) {
        return wild[at] && characters[at] == ANY;
    }

    private boolean isOne(int at) {
        return wild[at] && characters[at] == ONE;
    }
}
