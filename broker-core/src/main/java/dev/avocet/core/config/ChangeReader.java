package dev.avocet.core.config;

import dev.avocet.core.config.ConfigurationChange.Put;
import dev.avocet.core.config.ConfigurationChange.PutMessagingPolicy;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Shape;
import dev.avocet.core.config.value.ValueType;
import dev.avocet.names.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads changes from plain JSON, {@code {"Endpoint": {"mine": {"Port": 1883}}, "LogLevel": "MAX"}}: several objects of
 * several types at once. A list of objects, each with its name among its properties, does as well as an object of
 * objects.
 */
public final class ChangeReader {
    private final boolean byBroker;
    private final List<ConfigurationChange> changes = new ArrayList<>();
    private final List<ConfigurationProblem> problems = new ArrayList<>();

    ChangeReader(boolean byBroker) {
        this.byBroker = byBroker;
    }

    /**
     * The changes that an administrator asks for; {@link ConfigurationRefusedException} when the text says nothing that
     * can be done.
     */
    public static List<ConfigurationChange> read(@Nullable Object json) throws ConfigurationRefusedException {
        return new ChangeReader(false).changes(json);
    }

    List<ConfigurationChange> changes(@Nullable Object json) throws ConfigurationRefusedException {
        if (!(json instanceof Map<?, ?> members)) {
            throw new ConfigurationRefusedException(Kind.INVALID, "must be an object in braces");
        }
        members.forEach((key, value) -> member(String.valueOf(key), value));
        if (!problems.isEmpty()) {
            throw new ConfigurationRefusedException(problems);
        }
        return changes;
    }

    private void member(String name, @Nullable Object value) {
        ObjectType values = ObjectTypes.of(Singletons.class);
        ObjectType type = ObjectTypes.named(name)
                .filter(found -> found.shape() != Shape.VALUES)
                .orElse(null);
        if (type != null && type.shape() == Shape.SINGLE) {
            object(name, value, properties -> put(type.keyOf(""), properties));
        } else if (type != null) {
            String key = type.key().map(Property::name).orElse("Name");
            objects(name, key, value, (objectName, properties) -> put(type.keyOf(objectName), properties));
        } else if (name.equals(MessagingPolicyAlias.TYPE)) {
            objects(
                    name,
                    "Name",
                    value,
                    (policy, properties) -> changes.add(new PutMessagingPolicy(policy, properties)));
        } else if (values.property(name).isPresent()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put(name, value);
            put(values.keyOf(""), one);
        } else {
            refuse(name, "is neither a type of object nor a value" + NearestName.advice(name, knownNames(values)));
        }
    }

    private void put(ObjectKey key, Map<String, @Nullable Object> properties) {
        changes.add(new Put(key, properties, byBroker));
    }

    private void objects(
            String type,
            String keyProperty,
            @Nullable Object value,
            BiConsumer<String, Map<String, @Nullable Object>> taker) {
        if (value instanceof Map<?, ?> byName) {
            byName.forEach((name, properties) ->
                    object(type + " '" + name + "'", properties, given -> taker.accept(String.valueOf(name), given)));
        } else if (value instanceof List<?> list) {
            list.forEach(element -> object(type, element, given -> named(type, keyProperty, given, taker)));
        } else {
            refuse(type, "must be an object with one member for each " + type + ", by its name");
        }
    }

    private void named(
            String type,
            String keyProperty,
            Map<String, @Nullable Object> properties,
            BiConsumer<String, Map<String, @Nullable Object>> taker) {
        if (properties.get(keyProperty) instanceof String name) {
            taker.accept(name, properties);
        } else {
            refuse(type, "holds an object without " + keyProperty + "; say which one it is");
        }
    }

    private void object(String where, @Nullable Object value, Consumer<Map<String, @Nullable Object>> taker) {
        if (!(value instanceof Map<?, ?> members)) {
            String given = value == null ? "null" : ValueType.describe(value);
            refuse(
                    where,
                    "must be an object in braces, not " + given
                            + (value == null ? "; to delete it, ask for its deletion" : ""));
            return;
        }
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        members.forEach((name, property) -> properties.put(String.valueOf(name), property));
        taker.accept(properties);
    }

    private void refuse(String where, String message) {
        new ObjectProblems(problems, where).add(Kind.INVALID, message);
    }

    private static List<String> knownNames(ObjectType values) {
        return Stream.concat(
                        ObjectTypes.all().stream()
                                .filter(type -> type.shape() != Shape.VALUES)
                                .map(ObjectType::name),
                        values.properties().stream().map(Property::name))
                .toList();
    }
}
