package dev.avocet.bench.mqtt.files;

import dev.avocet.bench.mqtt.wire.PropertyWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user property of MQTT 5. */
public record UserProperty(String name, String value) {
    public UserProperty {
        if (name == null || value == null) {
            throw new IllegalArgumentException("a user property has a name and a value");
        }
    }

    static void write(@Nullable List<UserProperty> properties, PropertyWriter to) {
        for (UserProperty property : properties == null ? List.<UserProperty>of() : properties) {
            to.pair(PropertyWriter.USER_PROPERTY, property.name, property.value);
        }
    }
}
