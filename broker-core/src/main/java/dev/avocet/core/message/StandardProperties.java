package dev.avocet.core.message;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The properties by name of a message whose format has no more of them than every format has. */
final class StandardProperties {
    private StandardProperties() {}

    static @Nullable Object of(MessageProperties properties, String name) {
        return switch (name) {
            case "JMSCorrelationID" -> text(properties.correlationData());
            case "JMSType" -> properties.contentType();
            case "JMSPriority" -> properties.priority();
            case "JMSDeliveryMode" -> properties.isPersistent() ? "PERSISTENT" : "NON_PERSISTENT";
            case "JMSXGroupID" -> properties.groupId();
            default -> own(properties, name);
        };
    }

    private static @Nullable String text(byte @Nullable [] utf8) {
        return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
    }

    private static @Nullable String own(MessageProperties properties, String name) {
        for (UserProperty property : properties.userProperties()) {
            if (property.name().equals(name)) {
                return property.value();
            }
        }
        return null;
    }
}
