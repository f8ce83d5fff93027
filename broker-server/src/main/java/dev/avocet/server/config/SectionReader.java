package dev.avocet.server.config;

import dev.avocet.names.NearestName;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills records from a JSON tree: a key is a component's name, and what is not there keeps its default. A value that
 * cannot be read is reported and keeps its default too, so that one pass finds every problem.
 */
final class SectionReader {
    private SectionReader() {}

    static <R extends Record> R read(R defaults, @Nullable Object json, Problems problems) {
        if (!(json instanceof Map<?, ?> members)) {
            problems.add("must be an object in braces, not " + Reflected.describe(json));
            return defaults;
        }
        RecordComponent[] components = defaults.getClass().getRecordComponents();
        refuseUnknownKeys(members, components, problems);
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            Object fallback = Reflected.valueOf(components[i], defaults);
            String key = components[i].getName();
            values[i] = members.containsKey(key)
                    ? readComponent(components[i], fallback, members.get(key), problems.at(key))
                    : fallback;
        }
        return Reflected.newRecord(defaults, values);
    }

    private static void refuseUnknownKeys(Map<?, ?> members, RecordComponent[] components, Problems problems) {
        List<String> known =
                Arrays.stream(components).map(RecordComponent::getName).toList();
        for (Object key : members.keySet()) {
            String name = String.valueOf(key);
            if (!known.contains(name)) {
                problems.add("unknown key '" + name + "'" + NearestName.advice(name, known));
            }
        }
    }

    private static @Nullable Object readComponent(
            RecordComponent component, @Nullable Object fallback, @Nullable Object json, Problems problems) {
        if (json != null) {
            return readValue(component.getGenericType(), component, fallback, json, problems);
        }
        if (!Reflected.isNullable(component)) {
            problems.add("must not be null");
            return fallback;
        }
        return null;
    }

    private static @Nullable Object readValue(
            Type type, RecordComponent component, @Nullable Object fallback, Object json, Problems problems) {
        if (fallback instanceof Record section) {
            return read(section, json, problems);
        }
        if (type instanceof ParameterizedType list) {
            return readList((Class<?>) list.getActualTypeArguments()[0], fallback, json, problems);
        }
        if (type == int.class || type == long.class || type == Long.class) {
            return readNumber(type, component, fallback, json, problems);
        }
        return readScalar((Class<?>) type, fallback, json, problems);
    }

    private static @Nullable Object readList(
            Class<?> elementType, @Nullable Object fallback, Object json, Problems problems) {
        if (!(json instanceof List<?> elements)) {
            problems.add("must be a list in brackets, not " + Reflected.describe(json));
            return fallback;
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            Object value = readElement(elementType, elements.get(i), problems.at(i));
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private static @Nullable Object readElement(Class<?> type, @Nullable Object json, Problems problems) {
        return type.isRecord()
                ? read(Reflected.defaultsOf(type), json, problems)
                : readScalar(type, null, json, problems);
    }

    private static @Nullable Object readNumber(
            Type type, RecordComponent component, @Nullable Object fallback, Object json, Problems problems) {
        if (!(json instanceof BigInteger number)) {
            problems.add(Reflected.describe(json) + " is not a whole number");
            return fallback;
        }
        int bits = type == int.class ? Integer.SIZE : Long.SIZE;
        if (number.bitLength() >= bits) {
            problems.add(ConfigurationCheck.outside(number, component));
            return fallback;
        }
        return type == int.class ? (Object) number.intValue() : (Object) number.longValue();
    }

    private static @Nullable Object readScalar(
            Class<?> type, @Nullable Object fallback, @Nullable Object json, Problems problems) {
        if (type.isEnum() && json instanceof String name) {
            return readEnum(type, fallback, name, problems);
        }
        boolean fits = type == boolean.class ? json instanceof Boolean : json instanceof String && !type.isEnum();
        if (fits) {
            return json;
        }
        problems.add((type == boolean.class ? "must be true or false, not " : "must be text in quotes, not ")
                + Reflected.describe(json));
        return fallback;
    }

    private static @Nullable Object readEnum(Class<?> type, @Nullable Object fallback, String name, Problems problems) {
        List<String> names =
                Arrays.stream(type.getEnumConstants()).map(Object::toString).toList();
        int index = names.indexOf(name);
        if (index < 0) {
            problems.add("'" + name + "' is not one of " + String.join(", ", names) + NearestName.advice(name, names));
            return fallback;
        }
        return type.getEnumConstants()[index];
    }
}
