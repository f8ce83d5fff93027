package dev.avocet.mqtt.buffer;

import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBCOMP;
import static dev.avocet.mqtt.buffer.AcknowledgementHeader.PUBREL;

import dev.avocet.core.message.Message;
import dev.avocet.mqtt.session.InFlight;
import dev.avocet.mqtt.session.LongRing;
import dev.avocet.mqtt.session.MqttSession;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Packets of one connection that may not be sent before what they say is durable, in their order. Only connections
 * whose session is stored have one.
 *
 * <p>Owned by the connection's loop.
 */
public final class CommitLine {
    /** Payloads in the line beyond which no more deliveries join: the client is then as good as slow. */
    private static final int MAX_BYTES = 1 << 20;

    private static final int PACKET_ID_BITS = 16;
    private static final int KIND_BITS = 2;
    private static final int KIND_PUBLISH = 0;
    private static final int KIND_PUBREL = 1;
    private static final int KIND_PUBCOMP = 2;

    private final MqttSession session;
    private final OutputBuffer output;
    private final Consumer<InFlight> publish;
    /** Batch, kind and packet identifier of each. */
    private final LongRing packets = new LongRing();

    private long payloadBytes;
    private boolean closed;

    /** @param publish sends a delivery */
    public CommitLine(MqttSession session, OutputBuffer output, Consumer<InFlight> publish) {
        this.session = session;
        this.output = output;
        this.publish = publish;
    }

    public boolean isEmpty() {
        return packets.isEmpty();
    }

    public boolean hasRoom() {
        return payloadBytes < MAX_BYTES;
    }

    public void addPublish(InFlight delivery) {
        payloadBytes += payloadBytes(delivery);
        add(KIND_PUBLISH, delivery.packetId(), delivery.batch());
    }

    public void addPubRel(InFlight delivery) {
        add(KIND_PUBREL, delivery.packetId(), delivery.batch());
    }

    public void addPubComp(int packetId, long batch) {
        add(KIND_PUBCOMP, packetId, batch);
    }

    /** Sends what may be sent by now and what the client takes. */
    public void drain() {
        while (!closed && !packets.isEmpty()) {
            long next = packets.peek();
            int kind = (int) (next >>> PACKET_ID_BITS) & (1 << KIND_BITS) - 1;
            boolean isHeldUp = kind == KIND_PUBLISH && !output.isWritable();
            if (isHeldUp || !session.isCommitted(next >>> PACKET_ID_BITS + KIND_BITS)) {
                return;
            }
            packets.poll();
            send(kind, (int) next & 0xFFFF);
        }
    }

    public void close() {
        closed = true;
    }

    private void add(int kind, int packetId, long batch) {
        packets.add((batch << KIND_BITS | kind) << PACKET_ID_BITS | packetId);
    }

    private void send(int kind, int packetId) {
        switch (kind) {
            case KIND_PUBREL -> output.writeAcknowledgement(PUBREL, packetId);
            case KIND_PUBCOMP -> output.writeAcknowledgement(PUBCOMP, packetId);
            default -> send(session.outbound().find(packetId));
        }
    }

    private void send(@Nullable InFlight delivery) {
        if (delivery != null) {
            payloadBytes -= payloadBytes(delivery);
            publish.accept(delivery);
        }
    }

    private static int payloadBytes(InFlight delivery) {
        Message message = delivery.message();
        return message == null ? 0 : message.payload().length;
    }
}
