package dev.avocet.core.config.value;

import dev.avocet.names.NearestName;
import java.util.Arrays;
import java.util.List;

/**
 * One of a few words, which are what the constants of an enum are called by {@code toString()}.
 *
 * @param choices the enum
 */
public record ChoiceValue(Class<?> choices) implements ValueType {
    /** The words. */
    public List<String> words() {
        return Arrays.stream(choices.getEnumConstants()).map(Object::toString).toList();
    }

    @Override
    public Object read(Object plain) throws InvalidValueException {
        int index = words().indexOf(plain);
        if (index < 0) {
            String advice = plain instanceof String word ? NearestName.advice(word, words()) : "";
            throw new InvalidValueException(
                    ValueType.describe(plain) + " is not one of " + String.join(", ", words()) + advice);
        }
        return choices.getEnumConstants()[index];
    }

    @Override
    public Object plain(Object value) {
        return value.toString();
    }

    @Override
    public Object empty() {
        throw new IllegalStateException("a choice needs a default or must be required");
    }

    @Override
    public String describe() {
        return "one of " + String.join(", ", words());
    }
}
