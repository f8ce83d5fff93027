package dev.avocet.mqtt.codec;

import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import org.jspecify.annotations.Nullable;

/** Makes records of received packets. What a record holds is a copy and survives the array. */
public final class PacketDecoder {
    private PacketDecoder() {}

    /**
     * Reads one whole packet and checks all that can be known from its bytes alone.
     *
     * @param version what CONNECT agreed upon; CONNECT itself says its own
     * @param header the first byte of the packet
     * @param from where the body begins, see {@link PacketFramer}
     * @param to where the packet ends
     */
    public static Packet decode(Sender sender, ProtocolVersion version, int header, byte[] buf, int from, int to)
            throws MalformedPacketException {
        PacketType type = PacketType.ofHeader(header);
        if (type == null) {
            throw MalformedPacketException.malformed("packet type 0 is reserved");
        }
        if (!sender.maySend(type)) {
            throw MalformedPacketException.protocolError(type + " came from a " + sender);
        }
        if (type == PacketType.PUBLISH) {
            return decodePublish(sender, version, header, buf, from, to);
        }
        FixedHeader.check(type, version, header);
        return decode(sender, version, new BodyReader(type, buf, from, to));
    }

    /** Reads a CONNECT packet, the first one of a connection. */
    public static Connect decodeConnect(int header, byte[] buf, int from, int to) throws MalformedPacketException {
        if (PacketType.ofHeader(header) != PacketType.CONNECT) {
            throw MalformedPacketException.protocolError("the first packet is not a CONNECT [MQTT-3.1.0-1]");
        }
        Connect packet = ConnectCodec.decode(new BodyReader(PacketType.CONNECT, buf, from, to));
        FixedHeader.check(PacketType.CONNECT, packet.version(), header);
        return packet;
    }

    /**
     * After a CONNECT packet was refused: the version whose CONNACK its sender understands. That is its own version
     * when it is known; else MQTT 5 for higher levels and MQTT 3.1.1 for lower ones; null when the bytes do not even
     * begin like CONNECT and the connection is to be closed without an answer.
     */
    public static @Nullable ProtocolVersion answerVersion(byte[] buf, int from, int to) {
        return ConnectCodec.answerVersion(new BodyReader(PacketType.CONNECT, buf, from, to));
    }

    private static Packet decode(Sender sender, ProtocolVersion version, BodyReader in)
            throws MalformedPacketException {
        return switch (in.type()) {
            case CONNECT -> ConnectCodec.decode(in);
            case CONNACK -> ConnAckCodec.decode(version, in);
            case PUBLISH -> throw new IllegalStateException("PUBLISH has a decoder of its own");
            case PUBACK, PUBREC, PUBREL, PUBCOMP -> AcknowledgementCodec.decode(version, in);
            case SUBSCRIBE -> SubscribeCodec.decode(version, in);
            case SUBACK -> SubAckCodec.decode(version, in);
            case UNSUBSCRIBE -> UnsubscribeCodec.decode(version, in);
            case UNSUBACK -> UnsubAckCodec.decode(version, in);
            case PINGREQ -> decodeEmpty(PingReq.INSTANCE, in);
            case PINGRESP -> decodeEmpty(PingResp.INSTANCE, in);
            case DISCONNECT -> DisconnectCodec.decode(sender, version, in);
            case AUTH -> {
                if (!version.hasProperties()) {
                    throw in.malformed("packet type 15 is reserved before MQTT 5");
                }
                yield AuthCodec.decode(in);
            }
        };
    }

    private static Packet decodeEmpty(Packet packet, BodyReader in) throws MalformedPacketException {
        in.expectEnd();
        return packet;
    }

    private static Publish decodePublish(
            Sender sender, ProtocolVersion version, int header, byte[] buf, int from, int to)
            throws MalformedPacketException {
        PublishView view = new PublishView();
        PublishDecoder.decode(sender, header, buf, from, to, version, view);
        PublishDecoder.validateTopicName(buf, view.topicOffset(), view.topicLength());
        if (view.isPayloadText()) {
            PublishDecoder.validatePayloadText(buf, view.payloadOffset(), view.payloadLength());
        }
        return view.toPublish();
    }
}
