package dev.avocet.mqtt.codec;

import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PropertyReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the reason string and the user properties of a packet that is read. */
final class Diagnostics {
    private final List<UserProperty> userProperties = new ArrayList<>(0);
    private @Nullable String reasonString;

    /** Reads a section in which nothing else is allowed. */
    static Diagnostics read(BodyReader in) throws MalformedPacketException {
        Diagnostics diagnostics = new Diagnostics();
        PropertyReader properties = in.readProperties();
        while (properties.next()) {
            diagnostics.add(properties);
        }
        return diagnostics;
    }

    /** Takes the current property. */
    void add(PropertyReader properties) {
        switch (properties.property()) {
            case REASON_STRING -> reasonString = properties.text();
            case USER_PROPERTY -> userProperties.add(properties.userProperty());
            default -> throw properties.unhandled();
        }
    }

    @Nullable String reasonString() {
        return reasonString;
    }

    List<UserProperty> userProperties() {
        return userProperties;
    }
}
