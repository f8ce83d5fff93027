package dev.avocet.admin.schema;

import java.util.List;
import java.util.Set;

/**
 * One property of a type.
 *
 * @param name as it is called in JSON
 * @param aliases other names that the broker takes
 * @param kind what sort of values it has
 * @param values its values in a few words
 * @param words the words that can be chosen, of {@link Kind#CHOICE} and {@link Kind#CHOICES}
 * @param defaultText its default as the broker shows it; empty when there is none
 * @param traits what is particular about it
 * @param documentation one or two sentences
 */
public record PropertySchema(
        String name,
        List<String> aliases,
        Kind kind,
        String values,
        List<String> words,
        String defaultText,
        Set<Trait> traits,
        String documentation) {
    /** Copies the collections. */
    public PropertySchema {
        aliases = List.copyOf(aliases);
        words = List.copyOf(words);
        traits = Set.copyOf(traits);
    }

    /** Whether it has a trait. */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether it is called that, in any of its names. */
    public boolean isCalled(String given) {
        return name.equals(given) || aliases.contains(given);
    }
}
