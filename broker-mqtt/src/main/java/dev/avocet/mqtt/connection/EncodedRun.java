package dev.avocet.mqtt.connection;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PacketWriter;
import dev.avocet.mqtt.codec.PublishEncoder;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import org.jspecify.annotations.Nullable;

/**
 * The last run of messages that a loop has encoded for clients of one MQTT version: one piece of bytes, which each subscriber gets by one
 * copy.
 */
final class EncodedRun {
    private static final int FIRST_BYTES = 4096;

    private final IoLoop loop;
    private final ProtocolVersion version;
    private final PacketWriter writer = new PacketWriter(FIRST_BYTES, PacketFramer.MAX_PACKET_SIZE_BYTES);
    private @Nullable MessageRun run;

    EncodedRun(IoLoop loop, ProtocolVersion version) {
        this.loop = loop;
        this.version = version;
    }

    /** Makes these the packets of a run, at QoS 0 and without subscription identifiers and topic aliases. */
    void encode(MessageRun wanted) {
        if (run == wanted) {
            return;
        }
        if (run == null) {
            loop.atBatchEnd(this::forget);
        }
        run = null; // nothing to reuse, should this fail
        writer.reset();
        for (int i = 0; i < wanted.size(); i++) {
            encode(wanted.get(i));
        }
        run = wanted;
    }

    byte[] array() {
        return writer.array();
    }

    int length() {
        return writer.position();
    }

    private void encode(Message message) {
        PublishEncoder.encode(
                writer,
                version,
                false,
                QualityOfService.AT_MOST_ONCE,
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
