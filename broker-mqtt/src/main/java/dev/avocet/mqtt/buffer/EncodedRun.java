package dev.avocet.mqtt.buffer;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PublishEncoder;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last run of messages that a loop has encoded for clients of one MQTT version: one piece of bytes, which each
 * subscriber gets by one copy. Above QoS 0 the packet identifiers are written for each.
 */
public final class EncodedRun {
    private static final int FIRST_BYTES = 4096;

    private final IoLoop loop;
    private final ProtocolVersion version;
    private final PacketWriter writer = new PacketWriter(FIRST_BYTES, PacketFramer.MAX_PACKET_SIZE_BYTES);
    private final int[] packetIdOffsets = new int[MessageRun.MAX_MESSAGES];
    private @Nullable MessageRun run;

    public EncodedRun(IoLoop loop, ProtocolVersion version) {
        this.loop = loop;
        this.version = version;
    }

    /**
     * Makes these the packets of a run, at its quality of service and without subscription identifiers and topic
     * aliases.
     */
    public void encode(MessageRun wanted) {
        if (run == wanted) {
            return;
        }
        if (run == null) {
            loop.atBatchEnd(this::forget);
        }
        run = null; // nothing to reuse, should this fail
        writer.reset();
        QualityOfService qos = wanted.qos();
        for (int i = 0; i < wanted.size(); i++) {
            Message message = wanted.get(i);
            int start = writer.position();
            encode(message, qos);
            packetIdOffsets[i] = bodyFrom(start) + 2 + message.topic().utf8().length;
        }
        run = wanted;
    }

    /** Gives each packet its identifier. */
    public void packetIds(int[] packetIds) {
        byte[] array = writer.array();
        for (int i = 0, size = Objects.requireNonNull(run).size(); i < size; i++) {
            int at = packetIdOffsets[i];
            array[at] = (byte) (packetIds[i] >>> 8);
            array[at + 1] = (byte) packetIds[i];
        }
    }

    public byte[] array() {
        return writer.array();
    }

    public int length() {
        return writer.position();
    }

    private int bodyFrom(int start) {
        byte[] array = writer.array();
        int at = start + 1;
        while (array[at] < 0) {
            at++;
        }
        return at + 1;
    }

    private void encode(Message message, QualityOfService qos) {
        PublishEncoder.encode(
                writer,
                version,
                false,
                qos,
                false,
                message.topic().utf8(),
                0,
                Publish.NO_ALIAS,
                Publish.NO_EXPIRY,
                message.properties(),
                DeliveryOptions.NO_IDENTIFIERS,
                message.payload());
    }

    private void forget() {
        run = null;
    }
}
