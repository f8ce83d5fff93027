package dev.avocet.core.config.value;

import java.util.Set;

/**
 * Text.
 *
 * @param maxLength most characters
 * @param format how it must be built
 * @param variables which variables may stand in it
 */
public record TextValue(int maxLength, TextFormat format, Set<SubstitutionVariable> variables) implements ValueType {
    /** Copies the variables. */
    public TextValue {
        variables = Set.copyOf(variables);
    }

    @Override
    public Object read(Object plain) throws InvalidValueException {
        if (!(plain instanceof String text)) {
            throw new InvalidValueException("must be text in quotes, not " + ValueType.describe(plain));
        }
        checkLength(text, maxLength);
        if (text.codePoints().anyMatch(Character::isISOControl)) {
            throw new InvalidValueException("holds a control character; remove it");
        }
        format.check(text);
        if (format.isPattern()) {
            SubstitutionVariable.check(text, variables);
        }
        return text;
    }

    static void checkLength(String text, int maxLength) throws InvalidValueException {
        int length = text.codePointCount(0, text.length());
        if (length > maxLength) {
            throw new InvalidValueException("is " + length + " characters long; " + maxLength + " are the most");
        }
    }

    @Override
    public Object plain(Object value) {
        return value;
    }

    @Override
    public Object empty() {
        return "";
    }

    @Override
    public String describe() {
        return format.describe() + " of at most " + maxLength + " characters";
    }
}
