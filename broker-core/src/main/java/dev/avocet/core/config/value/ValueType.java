package dev.avocet.core.config.value;

import java.util.List;
import java.util.Map;

/**
 * Which values a property may have. Values come in as plain JSON: text, {@link Boolean}, {@link Number}, lists of
 * these. Because command lines know only text, a number or a truth value may be given as text too.
 */
public sealed interface ValueType
        permits BooleanValue,
                ChoiceValue,
                ChoicesValue,
                NumberValue,
                ReferenceValue,
                ReferencesValue,
                SecretValue,
                SizeValue,
                TextValue {
    /** Most characters of a refused value that a message repeats. */
    int LONGEST_QUOTE = 100;

    /** The value as records hold it. */
    Object read(Object plain) throws InvalidValueException;

    /** The opposite of {@link #read}: text, a {@link Boolean} or a {@link Long}. */
    Object plain(Object value);

    /** What a property without a value and without a default has. */
    Object empty();

    /** Whether people may write it and not read it. */
    default boolean isSecret() {
        return false;
    }

    /** The values in a few words, for people. */
    String describe();

    /** A plain value in words, for messages. */
    static String describe(Object plain) {
        if (plain instanceof Map) {
            return "an object";
        }
        if (plain instanceof List) {
            return "a list";
        }
        return plain instanceof String text ? "\"" + shortened(text) + "\"" : shortened(String.valueOf(plain));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
    }
}
