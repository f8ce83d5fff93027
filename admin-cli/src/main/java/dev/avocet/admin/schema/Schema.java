package dev.avocet.admin.schema;

import dev.avocet.admin.document.Documents;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All types of objects; one that refers to another comes after it.
 *
 * @param types all of them
 */
public record Schema(List<TypeSchema> types) {
    private static final String RESOURCE = "objects.json";

    /** Copies the types. */
    public Schema {
        types = List.copyOf(types);
    }

    /** Reads what the build put into this program. */
    public static Schema load() {
        try (InputStream resource = Schema.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException(RESOURCE + " is missing from this program");
            }
            Object types = Documents.json(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
            return new Schema(maps(types).stream().map(Schema::type).toList());
        } catch (IOException e) {
            throw new IllegalStateException(RESOURCE + " cannot be read", e);
        }
    }

    /** The type that is called so in JSON. */
    public Optional<TypeSchema> type(String name) {
        return types.stream().filter(type -> type.name().equals(name)).findFirst();
    }

    /** The type of what there is one of. */
    public TypeSchema values() {
        return types.stream()
                .filter(type -> type.shape() == Shape.VALUES)
                .findFirst()
                .orElseThrow();
    }

    private static TypeSchema type(Map<?, ?> type) {
        return new TypeSchema(
                text(type, "name"),
                Shape.valueOf(text(type, "shape")),
                text(type, "documentation"),
                maps(type.get("properties")).stream().map(Schema::property).toList());
    }

    private static PropertySchema property(Map<?, ?> property) {
        return new PropertySchema(
                text(property, "name"),
                words(property, "aliases"),
                Kind.valueOf(text(property, "kind")),
                text(property, "values"),
                words(property, "words"),
                text(property, "default"),
                words(property, "traits").stream()
                        .map(Trait::valueOf)
                        .collect(Collectors.toCollection(Schema::noTraits)),
                text(property, "documentation"));
    }

    private static Set<Trait> noTraits() {
        return EnumSet.noneOf(Trait.class);
    }

    private static List<Map<?, ?>> maps(Object list) {
        return ((List<?>) list).stream().<Map<?, ?>>map(Map.class::cast).toList();
    }

    private static String text(Map<?, ?> of, String member) {
        Object text = of.get(member);
        return text == null ? "" : text.toString();
    }

    private static List<String> words(Map<?, ?> of, String member) {
        String words = text(of, member);
        return words.isEmpty() ? List.of() : Arrays.asList(words.split(",", -1));
    }
}
