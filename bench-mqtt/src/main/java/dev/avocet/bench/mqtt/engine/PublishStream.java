package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.mqtt.wire.PacketType;
import dev.avocet.bench.mqtt.wire.VariableByteInteger;

/** What one publisher sends to one topic. Owned by its lane's loop. */
final class PublishStream {
    /** Type, remaining length and packet identifier. */
    private static final int MAX_EXTRA_BYTES = 1 + 4 + 2;

    private static final byte[] NOTHING = new byte[0];
    private static final byte[] NO_PROPERTIES = {0};

    private final int number;
    private final int copies;
    private final byte[] topicName;
    private final int firstByte;

    /** With their length before them; nothing below MQTT 5. */
    private final byte[] properties;

    /** Where in the properties the correlation data are, or -1. */
    private final int correlationAt;

    private long sequence;

    /** @param copies how many subscribers get each message */
    PublishStream(int number, String topicName, int qos, boolean retain, int version, int copies) {
        this.number = number;
        this.copies = copies;
        this.topicName = ControlPackets.string(topicName);
        firstByte = PacketType.PUBLISH | qos << 1 | (retain ? 1 : 0);
        properties = version == ControlPackets.MQTT_5 ? NO_PROPERTIES : NOTHING;
        correlationAt = -1;
    }

    private PublishStream(PublishStream plain, byte[] properties) {
        number = plain.number;
        copies = plain.copies;
        topicName = plain.topicName;
        firstByte = plain.firstByte;
        this.properties = properties;
        correlationAt = properties.length - Correlation.SIZE_BYTES;
    }

    /** The same as requests of MQTT 5: with a response topic, and correlation data that differ from message to message. */
    PublishStream askingFor(String responseTopic) {
        return new PublishStream(this, Correlation.properties(responseTopic));
    }

    int number() {
        return number;
    }

    int copies() {
        return copies;
    }

    int maxPacketBytes(Payloads payloads) {
        return MAX_EXTRA_BYTES + topicName.length + properties.length + payloads.largestBytes();
    }

    /**
     * Writes the next PUBLISH.
     *
     * @param identifier 0 at QoS 0
     * @return the index behind it
     */
    int write(byte[] to, int start, int identifier, Payloads payloads, int payload, long intendedNs) {
        int at = start;
        int size = payloads.sizeBytes(payload);
        to[at++] = (byte) firstByte;
        at = VariableByteInteger.write(to, at, topicName.length + (identifier == 0 ? 0 : 2) + properties.length + size);
        System.arraycopy(topicName, 0, to, at, topicName.length);
        at += topicName.length;
        if (identifier != 0) {
            to[at++] = (byte) (identifier >>> 8);
            to[at++] = (byte) identifier;
        }
        System.arraycopy(properties, 0, to, at, properties.length);
        int propertiesAt = at;
        at += properties.length;
        payloads.write(payload, to, at, number, ++sequence, intendedNs);
        if (correlationAt >= 0) {
            Correlation.copy(to, at, propertiesAt + correlationAt);
        }
        return at + size;
    }
}
