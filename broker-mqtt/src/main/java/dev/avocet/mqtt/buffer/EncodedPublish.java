package dev.avocet.mqtt.buffer;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PublishEncoder;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import org.jspecify.annotations.Nullable;

/**
 * The last PUBLISH packet that a loop has encoded. A message with a thousand subscribers is encoded once and copied a
 * thousand times; only its packet identifier is written for each.
 */
public final class EncodedPublish {
    private static final int KEPT_BYTES = 64 << 10;

    private final IoLoop loop;
    private final PacketWriter writer = new PacketWriter(4096, PacketFramer.MAX_PACKET_SIZE_BYTES);
    private @Nullable Message message;
    private @Nullable ProtocolVersion version;
    private @Nullable QualityOfService qos;
    private boolean retain;
    private boolean isReused = true;
    private int packetIdOffset;
    private boolean forgets;

    public EncodedPublish(IoLoop loop) {
        this.loop = loop;
    }

    /** Makes this the packet for a message without subscription identifiers, topic alias and DUP. */
    public void encode(
            Message wanted, ProtocolVersion toVersion, QualityOfService atQos, boolean withRetain, long expirySeconds) {
        if (message == wanted && version == toVersion && qos == atQos && retain == withRetain && !wanted.expires()) {
            return;
        }
        if (!forgets) {
            forgets = true;
            loop.atBatchEnd(this::forget);
        }
        if (message != null) {
            message = null; // nothing to reuse, should this fail
        }
        writer.reset();
        byte[] topic = wanted.topic().utf8();
        PublishEncoder.encode(
                writer,
                toVersion,
                false,
                atQos,
                withRetain,
                topic,
                0,
                Publish.NO_ALIAS,
                expirySeconds,
                wanted.properties(),
                DeliveryOptions.NO_IDENTIFIERS,
                wanted.payload());
        packetIdOffset = headerLength() + 2 + topic.length;
        note(wanted, toVersion, atQos, withRetain);
    }

    /**
     * A reference that is stored costs more than a comparison: the collector has to hear of it. Mostly these are the
     * same again.
     */
    private void note(Message wanted, ProtocolVersion toVersion, QualityOfService atQos, boolean withRetain) {
        retain = withRetain;
        if (version != toVersion) {
            version = toVersion;
        }
        if (qos != atQos) {
            qos = atQos;
        }
        if (isReused) {
            message = wanted;
        }
    }

    /**
     * Whether a message may have more than one subscriber here, so that its packet is worth noting. False while one is
     * published that has not.
     */
    public void isReused(boolean reused) {
        isReused = reused;
    }

    public void packetId(int packetId) {
        byte[] array = writer.array();
        array[packetIdOffset] = (byte) (packetId >>> 8);
        array[packetIdOffset + 1] = (byte) packetId;
    }

    public byte[] array() {
        return writer.array();
    }

    public int length() {
        return writer.position();
    }

    /** Lets go of the message and of what a large one took, so that a quiet loop does not keep them alive. */
    private void forget() {
        forgets = false;
        message = null;
        if (writer.array().length > KEPT_BYTES) {
            writer.shrink();
        }
    }

    private int headerLength() {
        byte[] array = writer.array();
        int at = 1;
        while (array[at] < 0) {
            at++;
        }
        return at + 1;
    }
}
