package dev.avocet.mqtt.codec;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.codec.field.VarInt;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;

/**
 * Writes PUBLISH packets from their parts: the hot path. What a version before 5 cannot say (topic alias, expiry,
 * properties, subscription identifiers) is left out there.
 */
public final class PublishEncoder {
    private static final int HEADER = 0x30;
    private static final int NO_PROPERTIES = -1;
    private static final byte[] NO_BYTES = {};

    private PublishEncoder() {}

    /**
     * How many bytes {@link #encode} would append for the same message, to compare with the client's maximum packet
     * size [MQTT-3.1.2-24]. More than {@link PacketFramer#MAX_PACKET_SIZE_BYTES} cannot be encoded.
     */
    public static long encodedSizeBytes(
            ProtocolVersion version,
            QualityOfService qos,
            int topicLength,
            int topicAlias,
            long expirySeconds,
            MessageProperties properties,
            int[] subscriptionIdentifiers,
            int payloadLength) {
        int block =
                blockBytes(version, topicAlias, expirySeconds, encodedOf(version, properties), subscriptionIdentifiers);
        long body = bodyBytes(qos, topicLength, block, payloadLength);
        return body > VarInt.MAX ? body + 5 : 1 + VarInt.size((int) body) + body;
    }

    /**
     * Appends a packet and returns its length in bytes.
     *
     * @param topic the topic name in UTF-8, valid; empty only together with a topic alias
     * @param packetId 1 to 65535; ignored at QoS 0 [MQTT-2.2.1-2]
     * @param topicAlias 1 to 65535, or {@link Publish#NO_ALIAS}
     * @param expirySeconds what remains of the message's expiry interval, or {@link Publish#NO_EXPIRY}
     * @param properties {@link MqttMessageProperties} are copied as they are, others are encoded from their accessors
     * @throws IllegalArgumentException for a packet that is longer than MQTT allows; nothing is written then
     * @throws IllegalStateException when the writer's limit is reached; nothing is written then
     */
    public static int encode(
            PacketWriter out,
            ProtocolVersion version,
            boolean dup,
            QualityOfService qos,
            boolean retain,
            byte[] topic,
            int packetId,
            int topicAlias,
            long expirySeconds,
            MessageProperties properties,
            int[] subscriptionIdentifiers,
            byte[] payload) {
        byte[] forwarded = encodedOf(version, properties);
        int block = blockBytes(version, topicAlias, expirySeconds, forwarded, subscriptionIdentifiers);
        long body = bodyBytes(qos, topic.length, block, payload.length);
        if (body > VarInt.MAX || topic.length > 0xFFFF) {
            throw new IllegalArgumentException("PUBLISH: " + body + " bytes are longer than MQTT allows");
        }
        int start = out.position();
        out.ensure((int) body + 5);
        out.writeByte(header(dup, qos, retain));
        out.writeVarInt((int) body);
        out.writeShort(topic.length);
        out.writeBytes(topic);
        if (qos != QualityOfService.AT_MOST_ONCE) {
            out.writeShort(packetId);
        }
        if (block != NO_PROPERTIES) {
            out.writeVarInt(block);
            writeProperties(out, topicAlias, expirySeconds, forwarded, subscriptionIdentifiers);
        }
        out.writeBytes(payload);
        return out.position() - start;
    }

    private static int header(boolean dup, QualityOfService qos, boolean retain) {
        boolean repeated = dup && qos != QualityOfService.AT_MOST_ONCE; // [MQTT-3.3.1-2]
        return HEADER | (repeated ? 0b1000 : 0) | qos.level() << 1 | (retain ? 1 : 0);
    }

    private static void writeProperties(
            PacketWriter out, int topicAlias, long expirySeconds, byte[] forwarded, int[] subscriptionIdentifiers) {
        PropertyWriter.number(out, Property.TOPIC_ALIAS, topicAlias, Publish.NO_ALIAS);
        PropertyWriter.number(out, Property.MESSAGE_EXPIRY_INTERVAL, expirySeconds, Publish.NO_EXPIRY);
        for (int identifier : subscriptionIdentifiers) {
            PropertyWriter.number(out, Property.SUBSCRIPTION_IDENTIFIER, identifier, 0);
        }
        out.writeBytes(forwarded);
    }

    private static long bodyBytes(QualityOfService qos, int topicLength, int block, int payloadLength) {
        long body = 2L + topicLength + payloadLength;
        if (qos != QualityOfService.AT_MOST_ONCE) {
            body += 2;
        }
        return block == NO_PROPERTIES ? body : body + VarInt.size(block) + block;
    }

    /** The length of the properties, or {@link #NO_PROPERTIES} where the version has none. */
    private static int blockBytes(
            ProtocolVersion version,
            int topicAlias,
            long expirySeconds,
            byte[] forwarded,
            int[] subscriptionIdentifiers) {
        if (!version.hasProperties()) {
            return NO_PROPERTIES;
        }
        int bytes = forwarded.length;
        bytes += topicAlias == Publish.NO_ALIAS ? 0 : 3;
        bytes += expirySeconds == Publish.NO_EXPIRY ? 0 : 5;
        for (int identifier : subscriptionIdentifiers) {
            bytes += identifier == 0 ? 0 : 1 + VarInt.size(identifier);
        }
        return bytes;
    }

    private static byte[] encodedOf(ProtocolVersion version, MessageProperties properties) {
        if (properties == MessageProperties.NONE || !version.hasProperties()) {
            return NO_BYTES;
        }
        MessageProperties converted = MqttMessageProperties.of(properties);
        return converted instanceof MqttMessageProperties mqtt ? mqtt.encoded() : NO_BYTES;
    }
}
