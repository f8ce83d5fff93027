package dev.avocet.server.config;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration as it is in effect, to be shown to others: of users the names only, and no passwords. */
public final class MaskedConfig {
    private static final String MASK = "********";

    private MaskedConfig() {}

    /** As maps, lists, text, numbers and truth values. */
    public static Map<String, Object> of(ServerConfig config) {
        return members(config);
    }

    private static Map<String, Object> members(Record section) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (RecordComponent component : section.getClass().getRecordComponents()) {
            Object value = Reflected.valueOf(component, section);
            if (value != null) {
                members.put(component.getName(), isSecret(component, value) ? MASK : plain(value));
            }
        }
        return members;
    }

    private static boolean isSecret(RecordComponent component, Object value) {
        return component.getName().toLowerCase(Locale.ROOT).endsWith("password")
                && value instanceof String text
                && !text.isEmpty();
    }

    private static Object plain(@Nullable Object value) {
        if (value instanceof UserConfig user) {
            return user.name();
        }
        if (value instanceof Record section) {
            return members(section);
        }
        if (value instanceof List<?> elements) {
            return elements.stream().map(MaskedConfig::plain).toList();
        }
        if (value instanceof Boolean) {
            return value;
        }
        return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : String.valueOf(value);
    }
}
