package dev.avocet.mqtt.codec.field;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes {@link MqttMessageProperties}; leaves out what MQTT cannot carry. For one thread. */
public final class MqttMessagePropertiesBuilder {
    private boolean payloadText;
    private @Nullable String contentType;
    private @Nullable String responseTopic;
    private byte @Nullable [] correlationData;
    private List<UserProperty> userProperties = List.of();

    MqttMessagePropertiesBuilder() {}

    public MqttMessagePropertiesBuilder payloadText(boolean value) {
        payloadText = value;
        return this;
    }

    public MqttMessagePropertiesBuilder contentType(@Nullable String value) {
        contentType = value;
        return this;
    }

    public MqttMessagePropertiesBuilder responseTopic(@Nullable String value) {
        responseTopic = value;
        return this;
    }

    public MqttMessagePropertiesBuilder correlationData(byte @Nullable [] value) {
        correlationData = value;
        return this;
    }

    public MqttMessagePropertiesBuilder userProperties(List<UserProperty> value) {
        userProperties = List.copyOf(value);
        return this;
    }

    public MqttMessagePropertiesBuilder userProperty(String name, String value) {
        List<UserProperty> more = new ArrayList<>(userProperties);
        more.add(new UserProperty(name, value));
        userProperties = List.copyOf(more);
        return this;
    }

    /** {@link MessageProperties#NONE} when nothing was given. */
    public MessageProperties build() {
        PacketWriter out = new PacketWriter(64, VarInt.MAX);
        if (payloadText) {
            PropertyWriter.flag(out, Property.PAYLOAD_FORMAT_INDICATOR, true);
        }
        PropertyWriter.text(out, Property.CONTENT_TYPE, isText(contentType) ? contentType : null);
        PropertyWriter.text(out, Property.RESPONSE_TOPIC, isTopicName(responseTopic) ? responseTopic : null);
        boolean fits = correlationData != null && correlationData.length <= 0xFFFF;
        PropertyWriter.binary(out, Property.CORRELATION_DATA, fits ? correlationData : null);
        PropertyWriter.userProperties(
                out,
                userProperties.stream()
                        .filter(each -> isText(each.name()) && isText(each.value()))
                        .toList());
        return out.position() == 0 ? MessageProperties.NONE : new MqttMessageProperties(out.toByteArray());
    }

    private static boolean isText(@Nullable String text) {
        return text != null
                && text.indexOf('\0') < 0
                && (text.length() <= 0xFFFF / 3 || text.getBytes(StandardCharsets.UTF_8).length <= 0xFFFF);
    }

    private static boolean isTopicName(@Nullable String text) {
        return text != null && isText(text) && !text.isEmpty() && text.indexOf('+') < 0 && text.indexOf('#') < 0;
    }
}
