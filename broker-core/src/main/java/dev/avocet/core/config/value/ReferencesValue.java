package dev.avocet.core.config.value;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The names of objects, which must exist, in the order in which they are tried. Records hold a list.
 *
 * @param target their type
 * @param max most of them
 */
public record ReferencesValue(String target, int max) implements ValueType {
    @Override
    public Object read(Object plain) throws InvalidValueException {
        List<String> names = List.copyOf(new LinkedHashSet<>(Words.of(plain)));
        if (names.size() > max) {
            throw new InvalidValueException("names " + names.size() + " objects; " + max + " are the most");
        }
        return names;
    }

    /** The names in a value. */
    public List<String> names(Object value) {
        return ((Collection<?>) value).stream().map(Object::toString).toList();
    }

    @Override
    public Object plain(Object value) {
        return String.join(",", names(value));
    }

    @Override
    public Object empty() {
        return List.of();
    }

    @Override
    public String describe() {
        return "names of up to " + max + " " + target + " objects";
    }
}
