package dev.avocet.admin.connection;

import dev.avocet.admin.schema.Kind;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.Trait;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one object.
 *
 * @param type its type
 * @param name its name; empty of what there is one of
 * @param how what happens to it
 * @param before the properties that it has
 * @param changed the properties that it gets
 */
public record ObjectChange(
        TypeSchema type,
        String name,
        How how,
        Map<String, @Nullable Object> before,
        Map<String, @Nullable Object> changed) {
    /** What happens to an object. */
    enum How {
        CREATE("+"),
        UPDATE("~"),
        DELETE("-");

        private final String sign;

        How(String sign) {
            this.sign = sign;
        }
    }

    /** The new object. */
    public static ObjectChange create(TypeSchema type, String name, Map<String, ?> properties) {
        return new ObjectChange(type, name, How.CREATE, Map.of(), ConfigurationView.copyOf(properties));
    }

    /** What is different between what an object has and what it should have; it keeps what is not mentioned. */
    public static ObjectChange update(
            TypeSchema type, String name, Map<String, @Nullable Object> before, Map<String, ?> wanted) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        wanted.forEach((property, value) -> {
            if (differs(type, property, before, value)) {
                changed.put(property, value);
            }
        });
        return new ObjectChange(type, name, How.UPDATE, before, changed);
    }

    /** The end of an object. */
    public static ObjectChange delete(TypeSchema type, String name) {
        return new ObjectChange(type, name, How.DELETE, Map.of(), Map.of());
    }

    public boolean isNothing() {
        return how == How.UPDATE && changed.isEmpty();
    }

    public void print(PrintWriter out) {
        out.println(how.sign + " " + type.called(name));
        changed.forEach((property, value) -> out.println("    " + property + ": " + shown(property, value)));
    }

    private String shown(String property, @Nullable Object value) {
        Optional<PropertySchema> known = type.property(property);
        if (known.filter(it -> it.kind() == Kind.SECRET).isPresent()) {
            return Values.HIDDEN;
        }
        String after = orDefault(known, Values.text(value));
        return how == How.CREATE
                ? after
                : orDefault(known, Values.text(before.get(officialName(type, property)))) + " -> " + after;
    }

    private static String orDefault(Optional<PropertySchema> property, String text) {
        return text.isEmpty()
                ? property.map(PropertySchema::defaultText)
                        .filter(it -> !it.isEmpty())
                        .orElse("(none)")
                : text;
    }

    private static boolean differs(
            TypeSchema type, String name, Map<String, @Nullable Object> before, @Nullable Object value) {
        Optional<PropertySchema> property = type.property(name);
        if (property.isEmpty()) {
            return !before.containsKey(name) || !Values.text(before.get(name)).equals(Values.text(value));
        }
        if (property.get().is(Trait.KEY)) {
            return false;
        }
        return !Values.canonical(property.get(), before.get(property.get().name()))
                .equals(Values.canonical(property.get(), value));
    }

    private static String officialName(TypeSchema type, String name) {
        return type.property(name).map(PropertySchema::name).orElse(name);
    }
}
