package dev.avocet.core.config.value;

import dev.avocet.names.NearestName;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Several of a few words, in the order of the enum; {@code All} means all of them. Records hold a set.
 *
 * @param choices the enum
 */
public record ChoicesValue(Class<?> choices) implements ValueType {
    private static final String ALL = "All";

    /** The words. */
    public List<String> words() {
        return new ChoiceValue(choices).words();
    }

    @Override
    public Object read(Object plain) throws InvalidValueException {
        List<String> given = Words.of(plain);
        List<String> words = words();
        for (String word : given) {
            if (!words.contains(word) && !word.equals(ALL)) {
                throw new InvalidValueException(
                        "'" + word + "' is not one of " + String.join(", ", words) + NearestName.advice(word, words));
            }
        }
        Set<Object> chosen = new LinkedHashSet<>();
        for (Object choice : choices.getEnumConstants()) {
            if (given.contains(choice.toString()) || given.contains(ALL)) {
                chosen.add(choice);
            }
        }
        return Collections.unmodifiableSet(chosen);
    }

    @Override
    public Object plain(Object value) {
        return ((Collection<?>) value).stream().map(Object::toString).collect(Collectors.joining(","));
    }

    @Override
    public Object empty() {
        return Set.of();
    }

    @Override
    public String describe() {
        return "some of " + String.join(", ", words());
    }
}
