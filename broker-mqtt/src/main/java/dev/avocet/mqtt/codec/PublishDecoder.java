package dev.avocet.mqtt.codec;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.codec.field.Utf8;
import dev.avocet.mqtt.codec.field.VarInt;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;

/** Reads PUBLISH packets: the hot path. Without properties it allocates nothing. */
public final class PublishDecoder {
    private static final int DUP = 0b1000;
    private static final int RETAIN = 0b0001;

    private PublishDecoder() {}

    /**
     * Fills the view with a packet that a client sent. Everything is checked except the topic name, see
     * {@link #validateTopicName}, and the payload, see {@link #validatePayloadText}.
     *
     * @param header the first byte of the packet
     * @param from where the body begins
     * @param to where the packet ends
     */
    public static void decode(int header, byte[] buf, int from, int to, ProtocolVersion version, PublishView view)
            throws MalformedPacketException {
        decode(Sender.CLIENT, header, buf, from, to, version, view);
    }

    static void decode(
            Sender sender, int header, byte[] buf, int from, int to, ProtocolVersion version, PublishView view)
            throws MalformedPacketException {
        readHeader(header, buf, view);
        int at = readTopic(buf, from, to, view);
        at = readPacketId(buf, at, to, view);
        clearProperties(view, at);
        if (version.hasProperties()) {
            at = readProperties(sender, buf, at, to, view);
        }
        checkTopicLength(version, view);
        view.payloadOffset = at;
        view.payloadLength = to - at;
    }

    private static void readHeader(int header, byte[] buf, PublishView view) throws MalformedPacketException {
        int level = (header >>> 1) & 0b11;
        if (level == 0b11) {
            throw MalformedPacketException.malformed("PUBLISH: QoS is 3 [MQTT-3.3.1-4]");
        }
        view.dup = (header & DUP) != 0;
        if (view.dup && level == 0) {
            throw MalformedPacketException.malformed("PUBLISH: DUP is set at QoS 0 [MQTT-3.3.1-2]");
        }
        view.begin(buf, QualityOfService.of(level));
        view.retain = (header & RETAIN) != 0;
    }

    private static int readTopic(byte[] buf, int at, int to, PublishView view) throws MalformedPacketException {
        int length = to - at < 2 ? Integer.MAX_VALUE : unsignedShort(buf, at);
        if (length > to - at - 2) {
            throw MalformedPacketException.malformed("PUBLISH: the topic name goes beyond the packet");
        }
        view.topicOffset = at + 2;
        view.topicLength = length;
        return at + 2 + length;
    }

    private static int readPacketId(byte[] buf, int at, int to, PublishView view) throws MalformedPacketException {
        if (view.qos == QualityOfService.AT_MOST_ONCE) {
            view.packetId = 0; // [MQTT-2.2.1-2]
            return at;
        }
        if (to - at < 2) {
            throw MalformedPacketException.malformed("PUBLISH: the packet identifier goes beyond the packet");
        }
        view.packetId = unsignedShort(buf, at);
        if (view.packetId == 0) {
            throw MalformedPacketException.protocolError(
                    "PUBLISH: packet identifier is 0 [MQTT-2.2.1-3] [MQTT-2.2.1-4]");
        }
        return at + 2;
    }

    private static void clearProperties(PublishView view, int at) {
        view.topicAlias = Publish.NO_ALIAS;
        view.messageExpiryIntervalSeconds = Publish.NO_EXPIRY;
        view.payloadText = false;
        view.responseTopicLength = 0;
        view.propertiesFrom = at;
        view.propertiesTo = at;
        view.forwardableBytes = 0;
        view.subscriptionIdentifiers = false;
    }

    private static int readProperties(Sender sender, byte[] buf, int at, int to, PublishView view)
            throws MalformedPacketException {
        if (at < to && buf[at] == 0) {
            view.propertiesFrom = at + 1;
            view.propertiesTo = at + 1;
            return at + 1;
        }
        long length = VarInt.decode(buf, at, to);
        if (length < 0 || VarInt.value(length) > to - at - VarInt.length(length)) {
            throw MalformedPacketException.malformed(
                    "PUBLISH: the properties are missing or go beyond the packet [MQTT-2.2.2-1]");
        }
        view.propertiesFrom = at + VarInt.length(length);
        view.propertiesTo = view.propertiesFrom + VarInt.value(length);
        PropertyReader reader = view.propertyReader;
        reader.open(buf, view.propertiesFrom, view.propertiesTo, PacketType.PUBLISH.mask(), "PUBLISH");
        while (reader.next()) {
            readProperty(sender, reader, view);
        }
        return view.propertiesTo;
    }

    private static void readProperty(Sender sender, PropertyReader reader, PublishView view)
            throws MalformedPacketException {
        switch (reader.property()) {
            case TOPIC_ALIAS -> view.topicAlias = (int) reader.number();
            case MESSAGE_EXPIRY_INTERVAL -> view.messageExpiryIntervalSeconds = reader.number();
            case SUBSCRIPTION_IDENTIFIER -> {
                if (sender == Sender.CLIENT) {
                    throw MalformedPacketException.protocolError(
                            "PUBLISH: a client sent a subscription identifier [MQTT-3.3.4-6]");
                }
                view.subscriptionIdentifiers = true;
            }
            case PAYLOAD_FORMAT_INDICATOR -> {
                view.payloadText = reader.flag();
                view.forwardableBytes += reader.entryLength();
            }
            case RESPONSE_TOPIC -> {
                reader.checkResponseTopic();
                view.responseTopicOffset = reader.valueOffset();
                view.responseTopicLength = reader.valueLength();
                view.forwardableBytes += reader.entryLength();
            }
            // the reader has checked the texts [MQTT-3.3.2-13] [MQTT-3.3.2-19]
            case CONTENT_TYPE, CORRELATION_DATA, USER_PROPERTY -> view.forwardableBytes += reader.entryLength();
            default -> throw reader.unhandled();
        }
    }

    private static void checkTopicLength(ProtocolVersion version, PublishView view) throws MalformedPacketException {
        if (view.topicLength > 0 || view.topicAlias != Publish.NO_ALIAS) {
            return;
        }
        throw version.hasProperties()
                ? MalformedPacketException.protocolError("PUBLISH: neither a topic name nor a topic alias")
                : MalformedPacketException.malformed("PUBLISH: the topic name is empty [MQTT-4.7.3-1]");
    }

    /**
     * Checks the bytes of a topic name: well-formed UTF-8 [MQTT-3.3.2-1], no U+0000 [MQTT-4.7.3-2], no wildcard
     * [MQTT-3.3.2-2]. Apart from {@link #decode} so that the same bytes need not be checked again for each message.
     */
    public static void validateTopicName(byte[] buf, int offset, int length) throws MalformedPacketException {
        if (!Utf8.isMqttString(buf, offset, length)) {
            throw MalformedPacketException.malformed(
                    "PUBLISH: the topic name is not well-formed UTF-8 [MQTT-3.3.2-1] [MQTT-4.7.3-2]");
        }
        if (Utf8.hasWildcard(buf, offset, length)) {
            throw new MalformedPacketException(
                    ReasonCode.TOPIC_NAME_INVALID, "PUBLISH: the topic name has a wildcard [MQTT-3.3.2-2]");
        }
    }

    /** Checks a payload that is declared to be UTF-8, {@link PublishView#isPayloadText}. U+0000 is allowed there. */
    public static void validatePayloadText(byte[] buf, int offset, int length) throws MalformedPacketException {
        if (!Utf8.isWellFormed(buf, offset, length)) {
            throw new MalformedPacketException(
                    ReasonCode.PAYLOAD_FORMAT_INVALID, "PUBLISH: the payload is not the UTF-8 that it claims to be");
        }
    }

    private static int unsignedShort(byte[] buf, int at) {
        return (buf[at] & 0xFF) << 8 | (buf[at + 1] & 0xFF);
    }
}
