package dev.avocet.mqtt.codec;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import java.util.ArrayList;
import java.util.List;

/** SUBSCRIBE. */
final class SubscribeCodec {
    private static final int QOS = 0b11;
    private static final int NO_LOCAL = 0b100;
    private static final int RETAIN_AS_PUBLISHED = 0b1000;
    private static final int RETAIN_HANDLING_SHIFT = 4;
    private static final int RESERVED = 0b1100_0000;
    private static final int RESERVED_BEFORE_V5 = 0b1111_1100;

    private SubscribeCodec() {}

    static Subscribe decode(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        int packetId = in.readPacketId();
        int identifier = Subscribe.NO_IDENTIFIER;
        List<UserProperty> userProperties = new ArrayList<>(0);
        if (version.hasProperties()) {
            PropertyReader properties = in.readProperties();
            while (properties.next()) {
                switch (properties.property()) {
                    case SUBSCRIPTION_IDENTIFIER -> identifier = (int) properties.number();
                    case USER_PROPERTY -> userProperties.add(properties.userProperty());
                    default -> throw properties.unhandled();
                }
            }
        }
        return new Subscribe(packetId, identifier, readSubscriptions(version, in), userProperties);
    }

    private static List<TopicSubscription> readSubscriptions(ProtocolVersion version, BodyReader in)
            throws MalformedPacketException {
        if (!in.hasRemaining()) {
            throw in.protocolError("no topic filter [MQTT-3.8.3-2]");
        }
        List<TopicSubscription> subscriptions = new ArrayList<>();
        while (in.hasRemaining()) {
            String filter = in.readFilter(version); // [MQTT-3.8.3-1]
            subscriptions.add(readOptions(version, filter, in));
        }
        return subscriptions;
    }

    private static TopicSubscription readOptions(ProtocolVersion version, String filter, BodyReader in)
            throws MalformedPacketException {
        int options = in.readByte("subscription options");
        checkReserved(version, options, in);
        int level = options & QOS;
        if (level == QOS) {
            throw version.hasProperties()
                    ? in.protocolError("QoS is 3")
                    : in.malformed("QoS is 3 [MQTT-3-8.3-4 of MQTT 3.1.1]");
        }
        int handling = version.hasProperties() ? options >>> RETAIN_HANDLING_SHIFT : 0;
        if (handling > RetainHandling.DO_NOT_SEND.number()) {
            throw in.protocolError("retain handling is 3");
        }
        return new TopicSubscription(
                filter,
                QualityOfService.of(level),
                version.hasProperties() && (options & NO_LOCAL) != 0,
                version.hasProperties() && (options & RETAIN_AS_PUBLISHED) != 0,
                RetainHandling.of(handling));
    }

    private static void checkReserved(ProtocolVersion version, int options, BodyReader in)
            throws MalformedPacketException {
        int reserved =
                switch (version) {
                    case V3_1 -> 0; // not used
                    case V3_1_1 -> RESERVED_BEFORE_V5;
                    case V5 -> RESERVED;
                };
        if ((options & reserved) != 0) {
            throw in.malformed("reserved subscription options are set [MQTT-3.8.3-5]");
        }
    }

    static void encode(ProtocolVersion version, Subscribe packet, PacketWriter out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            int properties = out.openLength();
            PropertyWriter.number(
                    out, Property.SUBSCRIPTION_IDENTIFIER, packet.subscriptionIdentifier(), Subscribe.NO_IDENTIFIER);
            PropertyWriter.userProperties(out, packet.userProperties());
            out.closeLength(properties);
        }
        for (TopicSubscription subscription : packet.subscriptions()) {
            out.writeUtf8(subscription.filter());
            out.writeByte(options(version, subscription));
        }
    }

    private static int options(ProtocolVersion version, TopicSubscription subscription) {
        int qos = subscription.qos().level();
        if (!version.hasProperties()) {
            return qos;
        }
        return qos
                | (subscription.noLocal() ? NO_LOCAL : 0)
                | (subscription.retainAsPublished() ? RETAIN_AS_PUBLISHED : 0)
                | subscription.retainHandling().number() << RETAIN_HANDLING_SHIFT;
    }
}
