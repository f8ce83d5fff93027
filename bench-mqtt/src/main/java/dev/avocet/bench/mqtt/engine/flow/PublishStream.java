package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.mqtt.files.OwnMessage;
import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.mqtt.wire.PacketType;
import dev.avocet.bench.mqtt.wire.PropertyWriter;
import dev.avocet.bench.mqtt.wire.VariableByteInteger;

/** What one publisher sends to one topic. Owned by its lane's loop. */
public final class PublishStream {
    /** Type, remaining length and packet identifier. */
    private static final int MAX_EXTRA_BYTES = 1 + 4 + 2;

    private static final int MAX_LENGTH_BYTES = 4;
    private static final int DUP = 8;
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
    public PublishStream(int number, String topicName, int qos, boolean retain, int version, int copies) {
        this.number = number;
        this.copies = copies;
        this.topicName = ControlPackets.string(topicName);
        firstByte = PacketType.PUBLISH | qos << 1 | (retain ? 1 : 0);
        properties = version == ControlPackets.MQTT_5 ? NO_PROPERTIES : NOTHING;
        correlationAt = -1;
    }

    private PublishStream(PublishStream plain, byte[] properties, int correlationAt) {
        number = plain.number;
        copies = plain.copies;
        topicName = plain.topicName;
        firstByte = plain.firstByte;
        this.properties = properties;
        this.correlationAt = correlationAt;
    }

    /**
     * The same as requests of MQTT 5: with a response topic, and correlation data that differ from message to message.
     */
    public PublishStream askingFor(String responseTopic) {
        byte[] asking = Correlation.properties(responseTopic);
        return new PublishStream(this, asking, asking.length - Correlation.SIZE_BYTES);
    }

    /** The same with properties of MQTT 5, given without their length. */
    public PublishStream with(byte[] more) {
        if (more.length > 0 && properties.length == 0) {
            throw new IllegalArgumentException(
                    "a message or topic has properties, which only MQTT 5 has: give --mqtt-version 5, or version TCP5");
        }
        return more.length == 0 ? this : new PublishStream(this, PropertyWriter.withLength(more), -1);
    }

    public int qos() {
        return firstByte >> 1 & 3;
    }

    public int number() {
        return number;
    }

    public int copies() {
        return copies;
    }

    /** Of the last message. */
    public long sequence() {
        return sequence;
    }

    public int maxPacketBytes(OwnMessage message) {
        return MAX_EXTRA_BYTES
                + topicName.length
                + MAX_LENGTH_BYTES
                + properties.length
                + message.properties().length
                + message.payload().length;
    }

    /**
     * Writes the next PUBLISH, of a message of one's own.
     *
     * @param identifier 0 at QoS 0
     * @return the index behind it
     */
    public int write(byte[] to, int start, int identifier, OwnMessage message, int qos, long intendedNs) {
        int at = start;
        boolean isRetained = message.retain() == null ? (firstByte & 1) != 0 : message.retain();
        byte[] payload = message.payload();
        to[at++] = (byte) (PacketType.PUBLISH | qos << 1 | (isRetained ? 1 : 0));
        int size = topicName.length + (identifier == 0 ? 0 : 2) + propertyBytes(message) + payload.length;
        at = VariableByteInteger.write(to, at, size);
        at = copy(topicName, 0, to, at);
        if (identifier != 0) {
            to[at++] = (byte) (identifier >>> 8);
            to[at++] = (byte) identifier;
        }
        at = writeProperties(message, to, at);
        System.arraycopy(payload, 0, to, at, payload.length);
        if (message.isStamped()) {
            MessageHead.write(to, at, number, ++sequence, intendedNs, message.hash());
        }
        return at + payload.length;
    }

    private int propertyBytes(OwnMessage message) {
        if (properties.length == 0) {
            return 0;
        }
        int length = properties.length - lengthBytes() + message.properties().length;
        return VariableByteInteger.sizeBytes(length) + length;
    }

    private int writeProperties(OwnMessage message, byte[] to, int start) {
        if (properties.length == 0) {
            return start;
        }
        int at = VariableByteInteger.write(to, start, properties.length - lengthBytes() + message.properties().length);
        at = copy(properties, lengthBytes(), to, at);
        return copy(message.properties(), 0, to, at);
    }

    /** Of the length before the properties. */
    private int lengthBytes() {
        int at = 0;
        while (properties[at] < 0) {
            at++;
        }
        return at + 1;
    }

    private static int copy(byte[] from, int start, byte[] to, int at) {
        System.arraycopy(from, start, to, at, from.length - start);
        return at + from.length - start;
    }

    public int maxPacketBytes(Payloads payloads) {
        return MAX_EXTRA_BYTES + topicName.length + properties.length + payloads.largestBytes();
    }

    /**
     * Writes the next PUBLISH.
     *
     * @param identifier 0 at QoS 0
     * @return the index behind it
     */
    public int write(byte[] to, int start, int identifier, Payloads payloads, int payload, long intendedNs) {
        return write(to, start, firstByte, identifier, payloads, payload, ++sequence, intendedNs);
    }

    /**
     * Writes a PUBLISH that has been written before, with DUP set [MQTT-3.3.1-1].
     *
     * @return the index behind it
     */
    int writeAgain(
            byte[] to, int start, int identifier, Payloads payloads, int payload, long itsSequence, long intendedNs) {
        return write(to, start, firstByte | DUP, identifier, payloads, payload, itsSequence, intendedNs);
    }

    private int write(
            byte[] to,
            int start,
            int first,
            int identifier,
            Payloads payloads,
            int payload,
            long itsSequence,
            long intendedNs) {
        int at = start;
        int size = payloads.sizeBytes(payload);
        to[at++] = (byte) first;
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
        payloads.write(payload, to, at, number, itsSequence, intendedNs);
        if (correlationAt >= 0) {
            Correlation.copy(to, at, propertiesAt + correlationAt);
        }
        return at + size;
    }
}
