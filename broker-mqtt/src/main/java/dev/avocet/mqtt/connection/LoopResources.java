package dev.avocet.mqtt.connection;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.MessageRun;
import dev.avocet.mqtt.admission.ClientLimits;
import dev.avocet.mqtt.buffer.EncodedPublish;
import dev.avocet.mqtt.buffer.EncodedRun;
import dev.avocet.mqtt.buffer.Scratch;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PublishView;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import org.jspecify.annotations.Nullable;

/** What the MQTT connections of one loop share, because only one of them is at work at a time. */
final class LoopResources {
    private static final int WRITER_BYTES = 4096;

    final IoLoop loop;
    final Scratch scratch = new Scratch();
    final PacketFramer framer = new PacketFramer();
    final PublishView publish = new PublishView();
    final PacketWriter writer = new PacketWriter(WRITER_BYTES, PacketFramer.MAX_PACKET_SIZE_BYTES);
    final EncodedPublish encoded;
    final DeliveryWriter deliveries = new DeliveryWriter(this);
    final UnstoredSettlement settlement = new UnstoredSettlement();
    final OpenRun run = new OpenRun();
    /** Of a run that is being delivered. */
    final int[] packetIds = new int[MessageRun.MAX_MESSAGES];

    private final EncodedRun runWithProperties;
    private final EncodedRun runWithoutProperties;
    private @Nullable ClientLimits lastLimits;

    LoopResources(IoLoop loop) {
        this.loop = loop;
        this.encoded = new EncodedPublish(loop);
        this.runWithProperties = new EncodedRun(loop, ProtocolVersion.V5);
        this.runWithoutProperties = new EncodedRun(loop, ProtocolVersion.V3_1_1);
    }

    /** The form of runs that a version has: before 5 they are all alike. */
    EncodedRun encodedRun(ProtocolVersion version) {
        return version.hasProperties() ? runWithProperties : runWithoutProperties;
    }

    /** The same limits; most clients want what the one before wanted, and then they share the object. */
    ClientLimits shared(ClientLimits limits) {
        ClientLimits last = lastLimits;
        if (last != null && last.equals(limits)) {
            return last;
        }
        lastLimits = limits;
        return limits;
    }
}
