package dev.avocet.mqtt.connection;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.buffer.EncodedPublish;
import dev.avocet.mqtt.buffer.EncodedRun;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PublishEncoder;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Publish;
import org.jspecify.annotations.Nullable;

/**
 * Makes PUBLISH packets of messages and appends them to what a connection sends. What other clients get in the same
 * form is encoded once for all of the loop.
 *
 * <p>One for each loop, as a connection that is idle is not to pay for it. Owned by its loop.
 */
final class DeliveryWriter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final byte[] NO_TOPIC = {};
    /** A payload up to here makes no packet longer than MQTT allows, whatever its topic and properties. */
    private static final int ALWAYS_FITTING_BYTES = 128 << 20;

    private final LoopResources shared;

    DeliveryWriter(LoopResources shared) {
        this.shared = shared;
    }

    /** Whether messages with these options can go in a run, in the form that all clients of the version get. */
    boolean takesRuns(Deliveries to, DeliveryOptions options) {
        return options.subscriptionIdentifiers().length == 0
                && !to.aliases().sendsAliases()
                && to.client().maximumPacketBytes() >= PacketFramer.MAX_PACKET_SIZE_BYTES
                && to.output().takesRuns();
    }

    /** @param packetIds one for each message; null at QoS 0 */
    void write(Deliveries to, MessageRun run, int @Nullable [] packetIds) {
        EncodedRun encoded = shared.encodedRun(to.client().version());
        encoded.encode(run);
        if (packetIds != null) {
            encoded.packetIds(packetIds);
        }
        to.output().writeMessages(encoded.array(), encoded.length(), run.size());
    }

    void write(
            Deliveries to,
            Message message,
            DeliveryOptions options,
            QualityOfService qos,
            int packetId,
            boolean dup,
            long expirySeconds) {
        boolean retain = options.retained() || (options.retainAsPublished() && message.retain());
        if (dup || options.subscriptionIdentifiers().length > 0 || to.aliases().sendsAliases()) {
            writeOwn(to, message, options, qos, packetId, dup, retain, expirySeconds);
            return;
        }
        EncodedPublish encoded = shared.encoded;
        encoded.encode(message, to.client().version(), qos, retain, expirySeconds);
        if (qos != QualityOfService.AT_MOST_ONCE) {
            encoded.packetId(packetId);
        }
        to.output().write(encoded.array(), 0, encoded.length());
        to.output().countMessage();
    }

    /** A packet that no other client gets in the same form. */
    private void writeOwn(
            Deliveries to,
            Message message,
            DeliveryOptions options,
            QualityOfService qos,
            int packetId,
            boolean dup,
            boolean retain,
            long expirySeconds) {
        int alias = to.aliases().known(message.topic());
        byte[] topic = alias == Publish.NO_ALIAS ? message.topic().utf8() : NO_TOPIC;
        if (alias == Publish.NO_ALIAS && to.aliases().sendsAliases()) {
            alias = aliasFor(to, message, options, qos, expirySeconds);
        }
        PacketWriter writer = shared.writer;
        writer.reset();
        PublishEncoder.encode(
                writer,
                to.client().version(),
                dup,
                qos,
                retain,
                topic,
                packetId,
                alias,
                expirySeconds,
                message.properties(),
                options.subscriptionIdentifiers(),
                message.payload());
        to.output().write(writer.array(), 0, writer.position());
        writer.shrink();
        to.output().countMessage();
    }

    /** A new alias, unless the three bytes that it costs now would make the packet too large. */
    private int aliasFor(
            Deliveries to, Message message, DeliveryOptions options, QualityOfService qos, long expirySeconds) {
        int topicLength = message.topic().utf8().length;
        long withAlias = encodedBytes(to, message, options, qos, topicLength, 1, expirySeconds);
        return withAlias > to.client().maximumPacketBytes()
                ? Publish.NO_ALIAS
                : to.aliases().assign(message.topic());
    }

    /** Whether the packet would be larger than the client takes [MQTT-3.1.2-24]. */
    boolean isTooLarge(
            Deliveries to, Message message, DeliveryOptions options, QualityOfService qos, long expirySeconds) {
        if (!mayBeTooLarge(to, message)) {
            return false;
        }
        int alias = to.aliases().known(message.topic());
        int topicLength = alias == Publish.NO_ALIAS ? message.topic().utf8().length : 0;
        return encodedBytes(to, message, options, qos, topicLength, alias, expirySeconds)
                > to.client().maximumPacketBytes();
    }

    /**
     * Rules out most messages at once: clients that set no maximum, and messages that no packet could be too small for.
     */
    private static boolean mayBeTooLarge(Deliveries to, Message message) {
        return to.client().maximumPacketBytes() < PacketFramer.MAX_PACKET_SIZE_BYTES
                || message.payload().length > ALWAYS_FITTING_BYTES;
    }

    private static long encodedBytes(
            Deliveries to,
            Message message,
            DeliveryOptions options,
            QualityOfService qos,
            int topicLength,
            int alias,
            long expirySeconds) {
        return PublishEncoder.encodedSizeBytes(
                to.client().version(),
                qos,
                topicLength,
                alias,
                expirySeconds,
                message.properties(),
                options.subscriptionIdentifiers(),
                message.payload().length);
    }

    /**
     * The expiry interval less the time that the message has waited [MQTT-3.3.2-6], rounded up so that it is never 0.
     */
    long remainingSeconds(Message message) {
        if (!message.expires()) {
            return Publish.NO_EXPIRY;
        }
        long remainingNs = message.expiryDeadlineNs() - shared.loop.clock().nanoTime();
        return Math.max(1, (remainingNs + NANOS_PER_SECOND - 1) / NANOS_PER_SECOND);
    }
}
