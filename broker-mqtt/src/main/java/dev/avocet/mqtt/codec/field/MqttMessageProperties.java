package dev.avocet.mqtt.codec.field;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message as MQTT 5 writes them: payload format indicator, content type, response topic,
 * correlation data and user properties, validated, unaltered [MQTT-3.3.2-4] [MQTT-3.3.2-15] [MQTT-3.3.2-16]
 * [MQTT-3.3.2-17] [MQTT-3.3.2-20] and in the order in which they came [MQTT-3.3.2-18]. Accessors search the bytes.
 */
public final class MqttMessageProperties implements MessageProperties {
    /** Object header and reference, array header, alignment. */
    private static final int OVERHEAD_BYTES = 40;

    private final byte[] encoded;

    /** @param encoded complete and valid properties, not empty; taken over */
    public MqttMessageProperties(byte[] encoded) {
        this.encoded = encoded;
    }

    /** Starts without any property. */
    public static MqttMessagePropertiesBuilder builder() {
        return new MqttMessagePropertiesBuilder();
    }

    /**
     * The same properties as this codec writes them; the argument itself when it is of this class or empty. What MQTT
     * cannot carry is left out: texts that hold U+0000, texts and data above 65535 bytes, response topics that are no
     * topic name.
     */
    public static MessageProperties of(MessageProperties properties) {
        if (properties instanceof MqttMessageProperties || properties.isEmpty()) {
            return properties;
        }
        return builder()
                .payloadText(properties.isPayloadText())
                .contentType(properties.contentType())
                .responseTopic(properties.responseTopic())
                .correlationData(properties.correlationData())
                .userProperties(properties.userProperties())
                .build();
    }

    /** The forwardable ones of a validated property section, copied. */
    public static MessageProperties copyOf(byte[] buf, int from, int to, int forwardableBytes) {
        if (forwardableBytes == 0) {
            return NONE;
        }
        if (forwardableBytes == to - from) {
            return new MqttMessageProperties(Arrays.copyOfRange(buf, from, to));
        }
        byte[] copy = new byte[forwardableBytes];
        int copied = 0;
        int end;
        for (int at = from; at < to; at = end) {
            end = entryEnd(buf, at);
            if (propertyAt(buf, at).isForwardable()) {
                System.arraycopy(buf, at, copy, copied, end - at);
                copied += end - at;
            }
        }
        return new MqttMessageProperties(copy);
    }

    /** The subscription identifiers in a validated property section. */
    public static List<Integer> subscriptionIdentifiers(byte[] buf, int from, int to) {
        List<Integer> found = new ArrayList<>();
        for (int at = from; at < to; at = entryEnd(buf, at)) {
            if (propertyAt(buf, at) == Property.SUBSCRIPTION_IDENTIFIER) {
                found.add(VarInt.value(VarInt.decode(buf, at + 1, to)));
            }
        }
        return found;
    }

    /** The properties on the wire. The caller must not change the array. */
    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public boolean isPayloadText() {
        int at = find(Property.PAYLOAD_FORMAT_INDICATOR);
        return at >= 0 && encoded[at + 1] == 1;
    }

    @Override
    public @Nullable String contentType() {
        int at = find(Property.CONTENT_TYPE);
        return at < 0 ? null : text(at + 1);
    }

    @Override
    public @Nullable String responseTopic() {
        int at = find(Property.RESPONSE_TOPIC);
        return at < 0 ? null : text(at + 1);
    }

    @Override
    public byte @Nullable [] correlationData() {
        int at = find(Property.CORRELATION_DATA);
        return at < 0 ? null : Arrays.copyOfRange(encoded, at + 3, entryEnd(encoded, at));
    }

    @Override
    public List<UserProperty> userProperties() {
        List<UserProperty> found = new ArrayList<>();
        for (int at = 0; at < encoded.length; at = entryEnd(encoded, at)) {
            if (propertyAt(encoded, at) == Property.USER_PROPERTY) {
                int value = blockEnd(encoded, at + 1);
                found.add(new UserProperty(text(at + 1), text(value)));
            }
        }
        return List.copyOf(found);
    }

    @Override
    public int format() {
        return StoredProperties.NUMBER;
    }

    @Override
    public byte[] encoded() {
        return encoded;
    }

    @Override
    public int sizeBytes() {
        return OVERHEAD_BYTES + encoded.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MqttMessageProperties that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    @Override
    public String toString() {
        return "MqttMessageProperties[" + encoded.length + " bytes]";
    }

    private int find(Property wanted) {
        for (int at = 0; at < encoded.length; at = entryEnd(encoded, at)) {
            if (encoded[at] == wanted.id()) {
                return at;
            }
        }
        return -1;
    }

    private String text(int block) {
        return new String(encoded, block + 2, blockEnd(encoded, block) - block - 2, StandardCharsets.UTF_8);
    }

    private static int blockEnd(byte[] buf, int block) {
        return block + 2 + ((buf[block] & 0xFF) << 8 | (buf[block + 1] & 0xFF));
    }

    private static Property propertyAt(byte[] buf, int at) {
        Property property = Property.of(buf[at]);
        if (property == null) {
            throw new IllegalStateException("unknown property in a validated section: " + buf[at]);
        }
        return property;
    }

    private static int entryEnd(byte[] buf, int at) {
        return switch (propertyAt(buf, at).type()) {
            case FLAG -> at + 2;
            case TWO_BYTE -> at + 3;
            case FOUR_BYTE -> at + 5;
            case VAR_INT -> at + 1 + VarInt.length(VarInt.decode(buf, at + 1, buf.length));
            case UTF8, BINARY -> blockEnd(buf, at + 1);
            case UTF8_PAIR -> blockEnd(buf, blockEnd(buf, at + 1));
        };
    }
}
