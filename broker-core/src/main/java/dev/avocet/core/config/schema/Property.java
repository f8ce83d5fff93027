package dev.avocet.core.config.schema;

import dev.avocet.core.config.value.InvalidValueException;
import dev.avocet.core.config.value.ReferenceValue;
import dev.avocet.core.config.value.ReferencesValue;
import dev.avocet.core.config.value.ValueType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one property of a type of objects. Immutable.
 *
 * @param name as it is called in JSON and on the command line
 * @param aliases other names under which a value is taken
 * @param documentation one or two sentences
 * @param traits what is particular about it
 * @param effectWith what has to come before it has any effect; empty when it has
 * @param option of the command line that sets it on one node; empty where it is of the configuration
 * @param defaultText its default as an administrator would write it; empty when there is none
 * @param type which values it may have
 * @param component where its record holds it
 * @param embeddedIn where the object holds that record; null when it is the object
 */
public record Property(
        String name,
        List<String> aliases,
        String documentation,
        Set<Trait> traits,
        String effectWith,
        String option,
        String defaultText,
        ValueType type,
        RecordComponent component,
        @Nullable RecordComponent embeddedIn) {
    /** Copies the collections. */
    public Property {
        aliases = List.copyOf(aliases);
        traits = Set.copyOf(traits);
    }

    /** Whether it has a trait. */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** Why an administrator cannot set it, and what to do, for one that is {@link Trait#READ_ONLY}. */
    public String whyReadOnly() {
        return option.isEmpty()
                ? "is set by the broker and cannot be changed; leave it away"
                : "is set by the option " + option + " of the node, and cannot be changed here: start the node with"
                        + " another value of the option";
    }

    /** Whether it is called that, in any of its names. */
    public boolean isCalled(String given) {
        return name.equals(given) || aliases.contains(given);
    }

    /** What kind of object it refers to, for those that do: the name of the type. */
    public Optional<String> target() {
        if (type instanceof ReferenceValue one) {
            return Optional.of(one.target());
        }
        return type instanceof ReferencesValue several ? Optional.of(several.target()) : Optional.empty();
    }

    /** The names of the objects that it refers to, in order; empty for a property that is no reference. */
    public List<String> referencesIn(ConfigurationObject object) {
        Object value = valueIn(object);
        if (type instanceof ReferencesValue several) {
            return several.names(value);
        }
        return type instanceof ReferenceValue && !value.equals("") ? List.of((String) value) : List.of();
    }

    /**
     * A value from plain JSON: text, a truth value, a number or a list. Null, an empty text and an empty list clear the
     * property, which gives it its default.
     */
    public Object read(@Nullable Object plain) throws InvalidValueException {
        if (plain != null && !plain.equals("") && !plain.equals(List.of())) {
            return type.read(plain);
        }
        if (is(Trait.REQUIRED)) {
            throw new InvalidValueException("is required; give it " + type.describe());
        }
        return defaultValue();
    }

    /** What it has without a value of its own. */
    public Object defaultValue() {
        try {
            return defaultText.isEmpty() ? type.empty() : type.read(defaultText);
        } catch (InvalidValueException e) {
            throw new IllegalStateException("the default of " + component + " is not valid: " + e.getMessage(), e);
        }
    }

    /** The value that an object has. */
    public Object valueIn(ConfigurationObject object) {
        try {
            Object holder =
                    embeddedIn == null ? object : embeddedIn.getAccessor().invoke(object);
            return component.getAccessor().invoke(holder);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }
}
