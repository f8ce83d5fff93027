package dev.avocet.bench.mqtt.files;

import dev.avocet.bench.mqtt.wire.ControlPackets.Will;
import dev.avocet.bench.mqtt.wire.PropertyWriter;
import dev.avocet.bench.mqtt.wire.PublishProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last will of a client. */
public record ListedWill(
        String topicStr,
        @Nullable String payload,
        int qos,
        boolean retain,
        @Nullable Integer expiryIntervalSecs,
        @Nullable String contentType,
        @Nullable String responseTopicStr,
        @Nullable String correlationData,
        @Nullable List<UserProperty> userProperties) {
    public ListedWill {
        ListedTopic.checkQos(qos);
        if (topicStr == null || topicStr.isEmpty()) {
            throw new IllegalArgumentException("a will has a topicStr");
        }
    }

    Will will() {
        PropertyWriter writer = new PropertyWriter()
                .four(PropertyWriter.MESSAGE_EXPIRY, expiryIntervalSecs)
                .text(PropertyWriter.CONTENT_TYPE, contentType)
                .text(PublishProperties.RESPONSE_TOPIC, responseTopicStr)
                .text(PublishProperties.CORRELATION_DATA, correlationData);
        UserProperty.write(userProperties, writer);
        return new Will(topicStr, payload == null ? "" : payload, qos, retain, writer.toBytes());
    }
}
