package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.mqtt.wire.PacketType;
import dev.avocet.bench.mqtt.wire.VariableByteInteger;

/** What one publisher sends to one topic. Owned by its lane's loop. */
final class PublishStream {
    /** Type, remaining length, packet identifier and the length of no properties. */
    private static final int MAX_EXTRA_BYTES = 1 + 4 + 2 + 1;

    private final int number;
    private final int copies;
    private final byte[] topicName;
    private final int firstByte;
    private final boolean hasProperties;
    private long sequence;

    /** @param copies how many subscribers get each message */
    PublishStream(int number, String topicName, int qos, boolean retain, int version, int copies) {
        this.number = number;
        this.copies = copies;
        this.topicName = ControlPackets.string(topicName);
        firstByte = PacketType.PUBLISH | qos << 1 | (retain ? 1 : 0);
        hasProperties = version == ControlPackets.MQTT_5;
    }

    int copies() {
        return copies;
    }

    int maxPacketBytes(Payloads payloads) {
        return MAX_EXTRA_BYTES + topicName.length + payloads.largestBytes();
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
        at = VariableByteInteger.write(
                to, at, topicName.length + (identifier == 0 ? 0 : 2) + (hasProperties ? 1 : 0) + size);
        System.arraycopy(topicName, 0, to, at, topicName.length);
        at += topicName.length;
        if (identifier != 0) {
            to[at++] = (byte) (identifier >>> 8);
            to[at++] = (byte) identifier;
        }
        if (hasProperties) {
            to[at++] = 0;
        }
        payloads.write(payload, to, at, number, ++sequence, intendedNs);
        return at + size;
    }
}
