package dev.avocet.admin.connection;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Objects as the broker showed them.
 *
 * @param members by name
 * @param version to be given with a change, so that it is refused when another administrator was quicker; null when
 *     there is none
 */
public record ConfigurationView(
        Map<String, @Nullable Object> members, @Nullable String version) {
    /** The object that is a member; empty where there is none. */
    public Map<String, @Nullable Object> object(String name) {
        return members.get(name) instanceof Map<?, ?> object ? copyOf(object) : new LinkedHashMap<>();
    }

    public boolean has(String name) {
        return members.get(name) instanceof Map;
    }

    public static Map<String, @Nullable Object> copyOf(Map<?, ?> map) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((name, value) -> copy.put(String.valueOf(name), value));
        return copy;
    }
}
