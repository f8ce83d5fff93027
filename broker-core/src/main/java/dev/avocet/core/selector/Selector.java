package dev.avocet.core.selector;

import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * Which messages a consumer wants, as a condition on their properties in the language of Jakarta Messaging 3.1, section
 * 3.8: the conditions of SQL-92 with its third truth value. Compiled once, then asked for each message. Immutable; any
 * thread.
 */
public final class Selector {
    /** Longest text, in characters. Longer ones cost every message more than they are worth. */
    public static final int MAX_LENGTH = 16_384;

    private final String text;
    private final Expression condition;
    private final @Nullable Equality equality;

    private Selector(String text, Expression condition) {
        this.text = text;
        this.condition = condition;
        this.equality = Equality.in(condition);
    }

    /**
     * Understands a selector.
     *
     * @return null when the text is blank, which selects everything
     * @throws InvalidSelectorException when it is none: says what is wrong, and where
     */
    public static @Nullable Selector compile(String text) throws InvalidSelectorException {
        return compile(text, true);
    }

    /**
     * Understands a selector that was accepted before, also one that {@link #compile} refuses today because it compares
     * what can never be alike. Those are false or unknown for every message, as they were.
     */
    public static @Nullable Selector compileAccepted(String text) throws InvalidSelectorException {
        return compile(text, false);
    }

    private static @Nullable Selector compile(String text, boolean checksKinds) throws InvalidSelectorException {
        if (text.isBlank()) {
            return null;
        }
        if (text.length() > MAX_LENGTH) {
            throw new InvalidSelectorException(
                    "a selector is at most " + MAX_LENGTH + " characters long, not " + text.length(), MAX_LENGTH);
        }
        return new Selector(text, new SelectorParser(text, checksKinds).parse());
    }

    /** As it was written. */
    public String text() {
        return text;
    }

    /** Whether the condition is true, and neither false nor unknown. */
    public boolean matches(Message message) {
        return condition.value(name -> Names.valueOf(message, name)) == Boolean.TRUE;
    }

    /** What a message must have to be matched, if that is easily told: an index can sort by it. */
    public @Nullable Equality equality() {
        return equality;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selector that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    /** Where the properties come from. */
    @FunctionalInterface
    interface Properties {
        /** Null when there is no such property. */
        @Nullable Object get(String name);
    }
}
