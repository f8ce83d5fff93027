package dev.avocet.mqtt.connection;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.PacketWriter;
import dev.avocet.mqtt.codec.PublishEncoder;
import dev.avocet.mqtt.packet.Publish;
import org.jspecify.annotations.Nullable;

/**
 * Makes PUBLISH packets of messages and appends them to what one connection sends. What other clients get in the same
 * form is encoded once for all of the loop.
 *
 * <p>Owned by the connection's loop.
 */
final class DeliveryWriter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final byte[] NO_TOPIC = {};
    /** A payload up to here makes no packet longer than MQTT allows, whatever its topic and properties. */
    private static final int ALWAYS_FITTING_BYTES = 128 << 20;

    private final LoopResources shared;
    private final OutputBuffer output;
    private final ClientLimits client;
    private final TopicAliases aliases;

    DeliveryWriter(LoopResources shared, OutputBuffer output, ClientLimits client, TopicAliases aliases) {
        this.shared = shared;
        this.output = output;
        this.client = client;
        this.aliases = aliases;
    }

    /** Whether messages with these options can go in a run, in the form that all clients of the version get. */
    boolean takesRuns(DeliveryOptions options) {
        return options.subscriptionIdentifiers().length == 0
                && !aliases.sendsAliases()
                && client.maximumPacketBytes() >= PacketFramer.MAX_PACKET_SIZE_BYTES
                && output.takesRuns();
    }

    /** @param packetIds one for each message; null at QoS 0 */
    void write(MessageRun run, int @Nullable [] packetIds) {
        EncodedRun encoded = shared.encodedRun(client.version());
        encoded.encode(run);
        if (packetIds != null) {
            encoded.packetIds(packetIds);
        }
        output.writeMessages(encoded.array(), encoded.length(), run.size());
    }

    void write(
            Message message,
            DeliveryOptions options,
            QualityOfService qos,
            int packetId,
            boolean dup,
            long expirySeconds) {
        boolean retain = options.retained() || (options.retainAsPublished() && message.retain());
        if (dup || options.subscriptionIdentifiers().length > 0 || aliases.sendsAliases()) {
            writeOwn(message, options, qos, packetId, dup, retain, expirySeconds);
            return;
        }
        EncodedPublish encoded = shared.encoded;
        encoded.encode(message, client.version(), qos, retain, expirySeconds);
        if (qos != QualityOfService.AT_MOST_ONCE) {
            encoded.packetId(packetId);
        }
        output.write(encoded.array(), 0, encoded.length());
        output.countMessage();
    }

    /** A packet that no other client gets in the same form. */
    private void writeOwn(
            Message message,
            DeliveryOptions options,
            QualityOfService qos,
            int packetId,
            boolean dup,
            boolean retain,
            long expirySeconds) {
        int alias = aliases.known(message.topic());
        byte[] topic = alias == Publish.NO_ALIAS ? message.topic().utf8() : NO_TOPIC;
        if (alias == Publish.NO_ALIAS && aliases.sendsAliases()) {
            alias = aliasFor(message, options, qos, expirySeconds);
        }
        PacketWriter writer = shared.writer;
        writer.reset();
        PublishEncoder.encode(
                writer,
                client.version(),
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
        output.write(writer.array(), 0, writer.position());
        writer.shrink();
        output.countMessage();
    }

    /** A new alias, unless the three bytes that it costs now would make the packet too large. */
    private int aliasFor(Message message, DeliveryOptions options, QualityOfService qos, long expirySeconds) {
        int topicLength = message.topic().utf8().length;
        long withAlias = encodedBytes(message, options, qos, topicLength, 1, expirySeconds);
        return withAlias > client.maximumPacketBytes() ? Publish.NO_ALIAS : aliases.assign(message.topic());
    }

    /** Whether the packet would be larger than the client takes [MQTT-3.1.2-24]. */
    boolean isTooLarge(Message message, DeliveryOptions options, QualityOfService qos, long expirySeconds) {
        if (!mayBeTooLarge(message)) {
            return false;
        }
        int alias = aliases.known(message.topic());
        int topicLength = alias == Publish.NO_ALIAS ? message.topic().utf8().length : 0;
        return encodedBytes(message, options, qos, topicLength, alias, expirySeconds) > client.maximumPacketBytes();
    }

    /**
     * Rules out most messages at once: clients that set no maximum, and messages that no packet could be too small for.
     */
    private boolean mayBeTooLarge(Message message) {
        return client.maximumPacketBytes() < PacketFramer.MAX_PACKET_SIZE_BYTES
                || message.payload().length > ALWAYS_FITTING_BYTES;
    }

    private long encodedBytes(
            Message message,
            DeliveryOptions options,
            QualityOfService qos,
            int topicLength,
            int alias,
            long expirySeconds) {
        return PublishEncoder.encodedSizeBytes(
                client.version(),
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
