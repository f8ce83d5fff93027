package dev.avocet.server.config;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the reader and the check need to know about configuration records at run time. */
final class Reflected {
    private Reflected() {}

    static @Nullable Object valueOf(RecordComponent component, Record owner) {
        try {
            return component.getAccessor().invoke(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    /** A record of the same class with other values, in the order of its components. */
    @SuppressWarnings("unchecked")
    static <R extends Record> R newRecord(R like, @Nullable Object[] values) {
        Class<?>[] types = Arrays.stream(like.getClass().getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return (R) like.getClass().getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make a " + like.getClass().getSimpleName(), e);
        }
    }

    /** What the record's own {@code defaults()} gives. */
    static Record defaultsOf(Class<?> type) {
        try {
            return (Record) type.getMethod("defaults").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " has no defaults()", e);
        }
    }

    static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /** A JSON value in words, for messages. */
    static String describe(@Nullable Object json) {
        if (json instanceof Map) {
            return "an object";
        }
        if (json instanceof List) {
            return "a list";
        }
        return json instanceof String ? "\"" + json + "\"" : String.valueOf(json);
    }
}
