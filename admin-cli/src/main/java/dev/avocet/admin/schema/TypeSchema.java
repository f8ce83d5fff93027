package dev.avocet.admin.schema;

import java.util.List;
import java.util.Optional;

/**
 * One type of objects.
 *
 * @param name as it is called in JSON
 * @param shape how its objects appear in JSON
 * @param documentation what they are for
 * @param properties in the order in which they are shown
 */
public record TypeSchema(String name, Shape shape, String documentation, List<PropertySchema> properties) {
    private static final String VALUES_NOUN = "server";

    /** Copies the properties. */
    public TypeSchema {
        properties = List.copyOf(properties);
    }

    /** The command that is for it: {@code topic-policy}. What there is one of belongs to the {@code server}. */
    public String noun() {
        return shape == Shape.VALUES ? VALUES_NOUN : KebabCase.of(name);
    }

    /** The property with that name or alias. */
    public Optional<PropertySchema> property(String called) {
        return properties.stream().filter(property -> property.isCalled(called)).findFirst();
    }

    /** The property that its objects are known by; none where there is only one object. */
    public Optional<PropertySchema> key() {
        return properties.stream().filter(property -> property.is(Trait.KEY)).findFirst();
    }

    /** An object of it, for messages. */
    public String called(String object) {
        return switch (shape) {
            case NAMED -> name + " " + object;
            case SINGLE -> name;
            case VALUES -> VALUES_NOUN;
        };
    }
}
