package dev.avocet.mqtt.codec;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.packet.Publish;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A PUBLISH packet in the array that it was received in. Reusable: {@link PublishDecoder} fills it, and everything it
 * says holds until it is filled again or the array changes. Belongs to one thread at a time.
 */
public final class PublishView {
    final PropertyReader propertyReader = new PropertyReader();
    byte[] buf = {};
    boolean dup;
    QualityOfService qos = QualityOfService.AT_MOST_ONCE;
    boolean retain;
    int topicOffset;
    int topicLength;
    int packetId;
    int topicAlias;
    long messageExpiryIntervalSeconds;
    boolean payloadText;
    int responseTopicOffset;
    int responseTopicLength;
    int propertiesFrom;
    int propertiesTo;
    int forwardableBytes;
    boolean subscriptionIdentifiers;
    int payloadOffset;
    int payloadLength;

    /**
     * A reference that is stored costs more than a comparison: the collector has to hear of it. Mostly these are the
     * same again.
     */
    void begin(byte[] in, QualityOfService at) {
        if (buf != in) {
            buf = in;
        }
        if (qos != at) {
            qos = at;
        }
    }

    /** The array that the offsets are in. */
    public byte[] buffer() {
        return buf;
    }

    public boolean dup() {
        return dup;
    }

    public QualityOfService qos() {
        return qos;
    }

    public boolean retain() {
        return retain;
    }

    public int topicOffset() {
        return topicOffset;
    }

    /** Length of the topic name in bytes; 0 only together with a topic alias. */
    public int topicLength() {
        return topicLength;
    }

    /** 1 to 65535, or 0 at QoS 0. */
    public int packetId() {
        return packetId;
    }

    /** 1 to 65535, or {@link Publish#NO_ALIAS}. */
    public int topicAlias() {
        return topicAlias;
    }

    /** Where the response topic begins in the buffer, if it has a length. */
    public int responseTopicOffset() {
        return responseTopicOffset;
    }

    /** Length of the response topic in bytes; 0 where there is none. */
    public int responseTopicLength() {
        return responseTopicLength;
    }

    /** 0 to 4294967295, or {@link Publish#NO_EXPIRY}. */
    public long messageExpiryIntervalSeconds() {
        return messageExpiryIntervalSeconds;
    }

    /**
     * True when the publisher declares the payload to be UTF-8; {@link PublishDecoder#validatePayloadText} checks that.
     */
    public boolean isPayloadText() {
        return payloadText;
    }

    /** Where the properties begin, after their length. */
    public int propertiesOffset() {
        return propertiesFrom;
    }

    /** The length of all properties in bytes; 0 before MQTT 5. */
    public int propertiesLength() {
        return propertiesTo - propertiesFrom;
    }

    public int payloadOffset() {
        return payloadOffset;
    }

    public int payloadLength() {
        return payloadLength;
    }

    /** The properties that belong to the message, copied; {@link MessageProperties#NONE} when there are none. */
    public MessageProperties properties() {
        return forwardableBytes == 0
                ? MessageProperties.NONE
                : MqttMessageProperties.copyOf(buf, propertiesFrom, propertiesTo, forwardableBytes);
    }

    /** The topic name in UTF-8, copied. */
    public byte[] copyTopic() {
        return Arrays.copyOfRange(buf, topicOffset, topicOffset + topicLength);
    }

    /** The payload, copied. */
    public byte[] copyPayload() {
        return Arrays.copyOfRange(buf, payloadOffset, payloadOffset + payloadLength);
    }

    /** The packet as a record of its own, which survives the array. */
    public Publish toPublish() {
        return new Publish(
                dup,
                qos,
                retain,
                new String(buf, topicOffset, topicLength, StandardCharsets.UTF_8),
                packetId,
                topicAlias,
                messageExpiryIntervalSeconds,
                properties(),
                copySubscriptionIdentifiers(),
                copyPayload());
    }

    private List<Integer> copySubscriptionIdentifiers() {
        return subscriptionIdentifiers
                ? MqttMessageProperties.subscriptionIdentifiers(buf, propertiesFrom, propertiesTo)
                : List.of();
    }
}
