package dev.avocet.core.selector;

import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/** What a message answers when it is asked for a property. */
final class Names {
    private Names() {}

    static @Nullable Object valueOf(Message message, String name) {
        Object value = message.properties().property(name);
        if (value instanceof Float number) {
            return number.doubleValue();
        }
        return value instanceof Number number && !(value instanceof Double) ? (Object) number.longValue() : value;
    }
}
