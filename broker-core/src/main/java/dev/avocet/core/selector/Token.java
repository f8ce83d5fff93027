package dev.avocet.core.selector;

import java.util.Locale;
import java.util.Set;

/**
 * A word of a selector.
 *
 * @param text as it was written; of a string without its quotes
 * @param value of a literal; otherwise the text
 * @param position of its first character
 */
record Token(Kind kind, String text, Object value, int position) {
    private static final Set<String> RESERVED =
            Set.of("AND", "OR", "NOT", "BETWEEN", "LIKE", "IN", "IS", "NULL", "ESCAPE", "TRUE", "FALSE");

    /** The value of the digits of the least long, which are no number without the sign before them. */
    static final Object LEAST_LONG = new Object();

    /** What sort of word. */
    enum Kind {
        NAME,
        KEYWORD,
        STRING,
        NUMBER,
        SYMBOL,
        END
    }

    static Token word(String text, int position) {
        String upper = text.toUpperCase(Locale.ROOT);
        return RESERVED.contains(upper)
                ? new Token(Kind.KEYWORD, upper, upper, position)
                : new Token(Kind.NAME, text, text, position);
    }

    boolean is(String word) {
        return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(word);
    }

    String shown() {
        return switch (kind) {
            case END -> "the end";
            case STRING -> "'" + text + "'";
            default -> text;
        };
    }
}
