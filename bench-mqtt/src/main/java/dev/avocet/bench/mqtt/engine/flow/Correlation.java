package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.mqtt.wire.PacketReader;
import dev.avocet.bench.mqtt.wire.PublishProperties;
import dev.avocet.bench.mqtt.wire.VariableByteInteger;
import java.util.Arrays;

/**
 * The correlation data of a request: its sequence number and stream, as the head of its payload has them. Stateless.
 */
public final class Correlation {
    public static final int SIZE_BYTES = MessageHead.IDENTITY_BYTES;

    private Correlation() {}

    /** The properties of a request, their length before them and room for the correlation data at their end. */
    static byte[] properties(String responseTopic) {
        byte[] topic = ControlPackets.string(responseTopic);
        int length = 1 + topic.length + 3 + SIZE_BYTES;
        byte[] properties = new byte[VariableByteInteger.sizeBytes(length) + length];
        int at = VariableByteInteger.write(properties, 0, length);
        properties[at++] = PublishProperties.RESPONSE_TOPIC;
        System.arraycopy(topic, 0, properties, at, topic.length);
        at += topic.length;
        properties[at++] = PublishProperties.CORRELATION_DATA;
        properties[at + 1] = SIZE_BYTES;
        return properties;
    }

    /** Copies it out of the payload. */
    static void copy(byte[] array, int payloadAt, int to) {
        System.arraycopy(array, payloadAt + MessageHead.SEQUENCE, array, to, SIZE_BYTES);
    }

    /** Whether a reply has the correlation data of the request whose payload it brings back. */
    public static boolean isThere(byte[] array, int propertiesAt, int payloadAt, int to) {
        int at = PublishProperties.find(array, propertiesAt, payloadAt, PublishProperties.CORRELATION_DATA);
        if (at < 0 || PacketReader.twoBytes(array, at) != SIZE_BYTES || to - payloadAt < MessageHead.SIZE_BYTES) {
            return false;
        }
        int identityAt = payloadAt + MessageHead.SEQUENCE;
        return Arrays.equals(array, at + 2, at + 2 + SIZE_BYTES, array, identityAt, identityAt + SIZE_BYTES);
    }
}
