package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import java.nio.charset.StandardCharsets;

/** Appends packets to a writer. What the version cannot say is left out. */
public final class PacketEncoder {
    private PacketEncoder() {}

    /**
     * Appends a packet and returns its length in bytes.
     *
     * @param version what CONNECT agreed upon; ignored for CONNECT, which says its own
     * @throws IllegalArgumentException for a packet that the version does not have, a CONNACK reason that it has no
     *     return code for ({@link ReasonCode#connackCode}), and texts that do not fit; nothing is written then
     * @throws IllegalStateException when the writer's limit is reached; nothing is written then
     */
    public static int encode(ProtocolVersion version, Packet packet, PacketWriter out) {
        int start = out.position();
        boolean done = false;
        try {
            if (packet instanceof Publish publish) {
                encodePublish(version, publish, out);
            } else {
                encodeOther(version, packet, out);
            }
            done = true;
        } finally {
            if (!done) {
                out.truncate(start);
            }
        }
        return out.position() - start;
    }

    /**
     * The same for a receiver that has a maximum packet size. Reason string and user properties of an answer are left
     * out when they would exceed it [MQTT-3.2.2-19] [MQTT-3.2.2-20] [MQTT-3.4.2-2] [MQTT-3.4.2-3] [MQTT-3.5.2-2]
     * [MQTT-3.5.2-3] [MQTT-3.6.2-2] [MQTT-3.6.2-3] [MQTT-3.7.2-2] [MQTT-3.7.2-3] [MQTT-3.9.2-1] [MQTT-3.9.2-2]
     * [MQTT-3.11.2-1] [MQTT-3.11.2-2] [MQTT-3.14.2-3] [MQTT-3.14.2-4] [MQTT-3.15.2-2] [MQTT-3.15.2-3]; when the packet
     * is still too large, nothing is written and the answer is 0 [MQTT-3.1.2-24].
     */
    public static int encode(ProtocolVersion version, Packet packet, PacketWriter out, long maximumPacketSizeBytes) {
        int start = out.position();
        int length = encode(version, packet, out);
        if (length > maximumPacketSizeBytes) {
            out.truncate(start);
            length = encode(version, packet.withoutDiagnostics(), out);
        }
        if (length > maximumPacketSizeBytes) {
            out.truncate(start);
            return 0;
        }
        return length;
    }

    /**
     * Appends PUBACK, PUBREC, PUBREL or PUBCOMP without diagnostics and returns its length in bytes; allocates nothing.
     *
     * @param packetId 1 to 65535
     */
    public static int encodeAcknowledgement(
            ProtocolVersion version, PacketType type, int packetId, ReasonCode reasonCode, PacketWriter out) {
        return AcknowledgementCodec.encode(version, type, packetId, reasonCode, out);
    }

    private static void encodeOther(ProtocolVersion version, Packet packet, PacketWriter out) {
        out.writeByte(FixedHeader.of(packet.type()));
        int body = out.openLength();
        switch (packet.type()) {
            case CONNECT -> ConnectCodec.encode((Connect) packet, out);
            case CONNACK -> ConnAckCodec.encode(version, (ConnAck) packet, out);
            case PUBLISH -> throw new IllegalStateException("PUBLISH has an encoder of its own");
            case PUBACK, PUBREC, PUBREL, PUBCOMP -> AcknowledgementCodec.encode(version, (Acknowledgement) packet, out);
            case SUBSCRIBE -> SubscribeCodec.encode(version, (Subscribe) packet, out);
            case SUBACK -> SubAckCodec.encode(version, (SubAck) packet, out);
            case UNSUBSCRIBE -> UnsubscribeCodec.encode(version, (Unsubscribe) packet, out);
            case UNSUBACK -> UnsubAckCodec.encode(version, (UnsubAck) packet, out);
            case PINGREQ, PINGRESP -> {}
            case DISCONNECT -> DisconnectCodec.encode(version, (Disconnect) packet, out);
            case AUTH -> {
                if (!version.hasProperties()) {
                    throw new IllegalArgumentException("AUTH needs MQTT 5");
                }
                AuthCodec.encode((Auth) packet, out);
            }
        }
        out.closeLength(body);
    }

    private static void encodePublish(ProtocolVersion version, Publish packet, PacketWriter out) {
        PublishEncoder.encode(
                out,
                version,
                packet.dup(),
                packet.qos(),
                packet.retain(),
                packet.topic().getBytes(StandardCharsets.UTF_8),
                packet.packetId(),
                packet.topicAlias(),
                packet.messageExpiryIntervalSeconds(),
                packet.properties(),
                packet.subscriptionIdentifiers().stream()
                        .mapToInt(Integer::intValue)
                        .toArray(),
                packet.payload());
    }
}
