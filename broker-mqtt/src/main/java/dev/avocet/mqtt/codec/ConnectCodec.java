package dev.avocet.mqtt.codec;

import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CONNECT: the only packet that says its version itself. */
final class ConnectCodec {
    private static final int BRIDGE = 0x80;

    private ConnectCodec() {}

    static Connect decode(BodyReader in) throws MalformedPacketException {
        String name = readProtocolName(in);
        int level = in.readByte("protocol level");
        ProtocolVersion version = version(name, level);
        if (version == null) {
            throw new MalformedPacketException(
                    ReasonCode.UNSUPPORTED_PROTOCOL_VERSION,
                    "CONNECT: " + name + " level " + level + " is not supported [MQTT-3.1.2-2]");
        }
        ConnectFlags flags = new ConnectFlags(in.readByte("connect flags"));
        flags.check(version, in);
        ConnectBuilder builder = Connect.builder("")
                .version(version)
                .bridge((level & BRIDGE) != 0)
                .cleanStart(flags.isCleanStart())
                .keepAliveSeconds(in.readShort("keep alive"));
        if (version.hasProperties()) {
            readProperties(builder, in);
        }
        readPayload(version, flags, builder, in);
        in.expectEnd();
        return builder.build();
    }

    private static String readProtocolName(BodyReader in) throws MalformedPacketException {
        String name = in.readUtf8("protocol name");
        for (ProtocolVersion version : ProtocolVersion.values()) {
            if (version.protocolName().equals(name)) {
                return name;
            }
        }
        throw in.malformed("the protocol name is not MQTT [MQTT-3.1.2-1]");
    }

    private static @Nullable ProtocolVersion version(String name, int level) {
        ProtocolVersion version = ProtocolVersion.of(name, level & ~BRIDGE);
        boolean bridge = (level & BRIDGE) != 0;
        return bridge && version == ProtocolVersion.V5 ? null : version;
    }

    /** See {@link PacketDecoder#answerVersion}. */
    static @Nullable ProtocolVersion answerVersion(BodyReader in) {
        try {
            String name = readProtocolName(in);
            int level = in.readByte("protocol level");
            ProtocolVersion version = version(name, level);
            if (version != null) {
                return version;
            }
            return (level & ~BRIDGE) < ProtocolVersion.V5.level() || name.equals(ProtocolVersion.V3_1.protocolName())
                    ? ProtocolVersion.V3_1_1
                    : ProtocolVersion.V5;
        } catch (MalformedPacketException e) {
            return null; // not even a protocol name: there is no form to answer in
        }
    }

    private static void readProperties(ConnectBuilder builder, BodyReader in) throws MalformedPacketException {
        List<UserProperty> userProperties = new ArrayList<>(0);
        boolean hasMethod = false;
        boolean hasData = false;
        PropertyReader properties = in.readProperties();
        while (properties.next()) {
            readProperty(builder, userProperties, properties);
            hasMethod |= properties.property() == Property.AUTHENTICATION_METHOD;
            hasData |= properties.property() == Property.AUTHENTICATION_DATA;
        }
        if (hasData && !hasMethod) {
            throw in.protocolError("authentication data without an authentication method");
        }
        builder.userProperties(userProperties);
    }

    private static void readProperty(
            ConnectBuilder builder, List<UserProperty> userProperties, PropertyReader properties) {
        switch (properties.property()) {
            case SESSION_EXPIRY_INTERVAL -> builder.sessionExpiryIntervalSeconds(properties.number());
            case RECEIVE_MAXIMUM -> builder.receiveMaximum((int) properties.number());
            case MAXIMUM_PACKET_SIZE -> builder.maximumPacketSizeBytes(properties.number());
            case TOPIC_ALIAS_MAXIMUM -> builder.topicAliasMaximum((int) properties.number());
            case REQUEST_RESPONSE_INFORMATION -> builder.requestResponseInformation(properties.flag());
            case REQUEST_PROBLEM_INFORMATION -> builder.requestProblemInformation(properties.flag());
            case AUTHENTICATION_METHOD -> builder.authenticationMethod(properties.text());
            case AUTHENTICATION_DATA -> builder.authenticationData(properties.binary());
            case USER_PROPERTY -> userProperties.add(properties.userProperty());
            default -> throw properties.unhandled();
        }
    }

    /** The fields come in this order [MQTT-3.1.3-1]. */
    private static void readPayload(ProtocolVersion version, ConnectFlags flags, ConnectBuilder builder, BodyReader in)
            throws MalformedPacketException {
        builder.clientId(in.readUtf8("client identifier")); // [MQTT-3.1.3-3] [MQTT-3.1.3-4]
        if (flags.hasWill()) {
            builder.will(WillCodec.decode(version, flags, in)); // [MQTT-3.1.2-9]
        }
        // MQTT 3.1 lets a packet end before the credentials that its flags announce
        boolean lenient = version == ProtocolVersion.V3_1;
        if (flags.hasUserName() && !(lenient && !in.hasRemaining())) {
            builder.userName(in.readUtf8("user name")); // [MQTT-3.1.2-17] [MQTT-3.1.3-12]
        }
        if (flags.hasPassword() && !(lenient && !in.hasRemaining())) {
            builder.password(in.readBinary("password")); // [MQTT-3.1.2-19]
        }
    }

    static void encode(Connect packet, PacketWriter out) {
        ProtocolVersion version = packet.version();
        out.writeUtf8(version.protocolName());
        out.writeByte(version.level() | (packet.bridge() ? BRIDGE : 0));
        out.writeByte(ConnectFlags.of(packet).bits());
        out.writeShort(packet.keepAliveSeconds());
        if (version.hasProperties()) {
            int properties = out.openLength();
            writeProperties(packet, out);
            out.closeLength(properties);
        }
        out.writeUtf8(packet.clientId());
        if (packet.will() != null) {
            WillCodec.encode(version, packet.will(), out);
        }
        if (packet.userName() != null) {
            out.writeUtf8(packet.userName());
        }
        if (packet.password() != null) {
            out.writeBinary(packet.password());
        }
    }

    private static void writeProperties(Connect packet, PacketWriter out) {
        PropertyWriter.number(out, Property.SESSION_EXPIRY_INTERVAL, packet.sessionExpiryIntervalSeconds(), 0);
        PropertyWriter.number(out, Property.RECEIVE_MAXIMUM, packet.receiveMaximum(), Connect.DEFAULT_RECEIVE_MAXIMUM);
        PropertyWriter.number(
                out, Property.MAXIMUM_PACKET_SIZE, packet.maximumPacketSizeBytes(), Connect.NO_PACKET_SIZE_LIMIT);
        PropertyWriter.number(out, Property.TOPIC_ALIAS_MAXIMUM, packet.topicAliasMaximum(), 0);
        PropertyWriter.flag(out, Property.REQUEST_RESPONSE_INFORMATION, packet.requestResponseInformation(), false);
        PropertyWriter.flag(out, Property.REQUEST_PROBLEM_INFORMATION, packet.requestProblemInformation(), true);
        PropertyWriter.text(out, Property.AUTHENTICATION_METHOD, packet.authenticationMethod());
        PropertyWriter.binary(out, Property.AUTHENTICATION_DATA, packet.authenticationData());
        PropertyWriter.userProperties(out, packet.userProperties());
    }
}
