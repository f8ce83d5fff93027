package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.mqtt.wire.PacketReader;
import dev.avocet.bench.mqtt.wire.PacketType;
import dev.avocet.bench.mqtt.wire.PublishProperties;
import dev.avocet.bench.mqtt.wire.VariableByteInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Makes the replies of one responder: the request's payload, to where its response topic says and with its correlation
 * data; below MQTT 5, to a prefix and the request's own topic name. Owned by its lane's loop.
 *
 * <p>It allocates only where more replies wait for PUBACKs than may be in flight; those it keeps, up to a limit.
 */
public final class Responder {
    /** As many as the protocol lets a server send before it hears of them. */
    private static final int MAX_HELD = 65_535;

    private static final byte[] NOTHING = new byte[0];

    private final byte[] prefix;
    private final int qos;
    private final boolean hasProperties;
    private final ArrayDeque<byte[]> held = new ArrayDeque<>();

    private byte[] from = NOTHING;
    private int topicAt;
    private int propertiesAt;
    private int payloadAt;
    private int end;

    public Responder(String prefix, int qos, boolean hasProperties) {
        this.prefix = hasProperties ? NOTHING : prefix.getBytes(StandardCharsets.UTF_8);
        this.qos = qos;
        this.hasProperties = hasProperties;
    }

    /** The request that is to be answered next, as it stands in an array until {@link #reply} has returned. */
    public void request(byte[] array, int topicNameAt, int itsPropertiesAt, int itsPayloadAt, int to) {
        from = array;
        topicAt = topicNameAt;
        propertiesAt = itsPropertiesAt;
        payloadAt = itsPayloadAt;
        end = to;
    }

    /**
     * Adds the reply to what is about to be written, or keeps it until there is room in flight.
     *
     * @param identifiers of the responder; null at QoS 0
     * @return false when the request cannot be answered: it names no response topic, or too many replies wait
     */
    public boolean reply(ByteQueue to, @Nullable PacketIdentifiers identifiers, int maxInFlight, long nowNs) {
        if (identifiers != null && identifiers.inFlight() >= maxInFlight) {
            return hold();
        }
        return write(to, identifiers == null ? 0 : identifiers.take(nowNs));
    }

    /** Adds what was kept, as far as there is room in flight. */
    public void release(ByteQueue to, PacketIdentifiers identifiers, int maxInFlight, long nowNs) {
        while (!held.isEmpty() && identifiers.inFlight() < maxInFlight) {
            byte[] packet = held.remove();
            int at = behindTopic(packet);
            int identifier = identifiers.take(nowNs);
            packet[at] = (byte) (identifier >>> 8);
            packet[at + 1] = (byte) identifier;
            byte[] array = to.reserve(packet.length);
            System.arraycopy(packet, 0, array, to.size(), packet.length);
            to.resize(to.size() + packet.length);
        }
    }

    private boolean hold() {
        ByteQueue packet = new ByteQueue(end - topicAt + prefix.length + 16);
        if (held.size() == MAX_HELD || !write(packet, 0)) {
            return false;
        }
        held.add(packet.copy());
        return true;
    }

    private static int behindTopic(byte[] packet) {
        int at = 1;
        while (packet[at] < 0) {
            at++;
        }
        int lengthAt = at + 1;
        return lengthAt + 2 + PacketReader.twoBytes(packet, lengthAt);
    }

    private boolean write(ByteQueue to, int identifier) {
        int replyToAt = hasProperties ? find(PublishProperties.RESPONSE_TOPIC) : topicAt;
        if (replyToAt < 0) {
            return false;
        }
        int correlationAt = hasProperties ? find(PublishProperties.CORRELATION_DATA) : -1;
        int correlationBytes = correlationAt < 0 ? 0 : 3 + PacketReader.twoBytes(from, correlationAt);
        int propertyBytes = hasProperties ? VariableByteInteger.sizeBytes(correlationBytes) + correlationBytes : 0;
        int topicBytes = prefix.length + PacketReader.twoBytes(from, replyToAt);
        int payloadBytes = end - payloadAt;
        int length = 2 + topicBytes + (qos == 0 ? 0 : 2) + propertyBytes + payloadBytes;
        byte[] array = to.reserve(length + 5);
        int at = to.size();
        array[at++] = (byte) (PacketType.PUBLISH | qos << 1);
        at = VariableByteInteger.write(array, at, length);
        at = twoBytes(topicBytes, array, at);
        at = copy(prefix, 0, prefix.length, array, at);
        at = copy(from, replyToAt + 2, topicBytes - prefix.length, array, at);
        at = qos == 0 ? at : twoBytes(identifier, array, at);
        if (hasProperties) {
            at = VariableByteInteger.write(array, at, correlationBytes);
            at = copy(from, correlationAt - 1, correlationBytes, array, at);
        }
        to.resize(copy(from, payloadAt, payloadBytes, array, at));
        return true;
    }

    private int find(int property) {
        return PublishProperties.find(from, propertiesAt, payloadAt, property);
    }

    private static int twoBytes(int value, byte[] to, int at) {
        to[at] = (byte) (value >>> 8);
        to[at + 1] = (byte) value;
        return at + 2;
    }

    private static int copy(byte[] source, int start, int length, byte[] to, int at) {
        if (length > 0) {
            System.arraycopy(source, start, to, at, length);
        }
        return at + length;
    }
}
