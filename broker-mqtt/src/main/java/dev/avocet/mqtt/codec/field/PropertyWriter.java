package dev.avocet.mqtt.codec.field;

import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends properties. Null stands for a property that is not there. */
public final class PropertyWriter {
    private PropertyWriter() {}

    public static void flag(PacketWriter out, Property property, boolean value) {
        out.writeByte(property.id());
        out.writeByte(value ? 1 : 0);
    }

    /** Writes a number unless it is the one that holds when the property is absent. */
    public static void number(PacketWriter out, Property property, long value, long whenAbsent) {
        if (value == whenAbsent) {
            return;
        }
        out.writeByte(property.id());
        switch (property.type()) {
            case FLAG -> out.writeByte((int) value);
            case TWO_BYTE -> out.writeShort((int) value);
            case FOUR_BYTE -> out.writeInt(value);
            case VAR_INT -> out.writeVarInt((int) value);
            case UTF8, BINARY, UTF8_PAIR -> throw new IllegalArgumentException(property + " is not a number");
        }
    }

    /** Writes a flag unless it is the one that holds when the property is absent. */
    public static void flag(PacketWriter out, Property property, boolean value, boolean whenAbsent) {
        if (value != whenAbsent) {
            flag(out, property, value);
        }
    }

    public static void text(PacketWriter out, Property property, @Nullable String value) {
        if (value != null) {
            out.writeByte(property.id());
            out.writeUtf8(value);
        }
    }

    public static void binary(PacketWriter out, Property property, byte @Nullable [] value) {
        if (value != null) {
            out.writeByte(property.id());
            out.writeBinary(value);
        }
    }

    public static void userProperties(PacketWriter out, List<UserProperty> userProperties) {
        for (UserProperty each : userProperties) {
            out.writeByte(Property.USER_PROPERTY.id());
            out.writeUtf8(each.name());
            out.writeUtf8(each.value());
        }
    }

    /** What all answers have. */
    public static void diagnostics(PacketWriter out, @Nullable String reasonString, List<UserProperty> userProperties) {
        text(out, Property.REASON_STRING, reasonString);
        userProperties(out, userProperties);
    }
}
