package dev.avocet.mqtt.codec;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.ConnAckBuilder;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;

/** CONNACK. */
final class ConnAckCodec {
    private ConnAckCodec() {}

    static ConnAck decode(ProtocolVersion version, BodyReader in) throws MalformedPacketException {
        int flags = in.readByte("acknowledge flags");
        boolean sessionPresent =
                switch (version) {
                    case V3_1 -> false; // the byte is reserved
                    case V3_1_1, V5 -> (flags & 1) != 0;
                };
        if (version != ProtocolVersion.V3_1 && flags > 1) {
            throw in.malformed("reserved acknowledge flags are set [MQTT-3.2.2-1]");
        }
        ReasonCode reasonCode = version.hasProperties() ? in.readReasonCode() : readReturnCode(in);
        if (sessionPresent && reasonCode.isError()) {
            throw in.protocolError("a session is present after an error [MQTT-3.2.2-6]");
        }
        ConnAckBuilder builder = ConnAck.builder(reasonCode).sessionPresent(sessionPresent);
        if (version.hasProperties()) {
            readProperties(builder, in);
        }
        in.expectEnd();
        return builder.build();
    }

    private static ReasonCode readReturnCode(BodyReader in) throws MalformedPacketException {
        int returnCode = in.readByte("return code");
        ReasonCode reasonCode = ReasonCode.ofConnackReturnCode(returnCode);
        if (reasonCode == null) {
            throw in.protocolError(returnCode + " is not a return code");
        }
        return reasonCode;
    }

    private static void readProperties(ConnAckBuilder builder, BodyReader in) throws MalformedPacketException {
        Diagnostics diagnostics = new Diagnostics();
        boolean hasMethod = false;
        boolean hasData = false;
        PropertyReader properties = in.readProperties();
        while (properties.next()) {
            readProperty(builder, diagnostics, properties);
            hasMethod |= properties.property() == Property.AUTHENTICATION_METHOD;
            hasData |= properties.property() == Property.AUTHENTICATION_DATA;
        }
        if (hasData && !hasMethod) {
            throw in.protocolError("authentication data without an authentication method");
        }
        builder.reasonString(diagnostics.reasonString()).userProperties(diagnostics.userProperties());
    }

    private static void readProperty(ConnAckBuilder builder, Diagnostics diagnostics, PropertyReader properties) {
        switch (properties.property()) {
            case SESSION_EXPIRY_INTERVAL -> builder.sessionExpiryIntervalSeconds(properties.number());
            case RECEIVE_MAXIMUM -> builder.receiveMaximum((int) properties.number());
            case MAXIMUM_QOS -> builder.maximumQos(QualityOfService.of((int) properties.number()));
            case RETAIN_AVAILABLE -> builder.retainAvailable(properties.flag());
            case MAXIMUM_PACKET_SIZE -> builder.maximumPacketSizeBytes(properties.number());
            case ASSIGNED_CLIENT_IDENTIFIER -> builder.assignedClientIdentifier(properties.text());
            case TOPIC_ALIAS_MAXIMUM -> builder.topicAliasMaximum((int) properties.number());
            case WILDCARD_SUBSCRIPTION_AVAILABLE -> builder.wildcardSubscriptionAvailable(properties.flag());
            case SUBSCRIPTION_IDENTIFIER_AVAILABLE -> builder.subscriptionIdentifiersAvailable(properties.flag());
            case SHARED_SUBSCRIPTION_AVAILABLE -> builder.sharedSubscriptionAvailable(properties.flag());
            case SERVER_KEEP_ALIVE -> builder.serverKeepAliveSeconds((int) properties.number());
            case RESPONSE_INFORMATION -> builder.responseInformation(properties.text());
            case SERVER_REFERENCE -> builder.serverReference(properties.text());
            case AUTHENTICATION_METHOD -> builder.authenticationMethod(properties.text());
            case AUTHENTICATION_DATA -> builder.authenticationData(properties.binary());
            default -> diagnostics.add(properties);
        }
    }

    static void encode(ProtocolVersion version, ConnAck packet, PacketWriter out) {
        int code = packet.reasonCode().connackCode(version);
        if (code == ReasonCode.NO_CODE) {
            throw new IllegalArgumentException(packet.reasonCode() + " has no return code in " + version);
        }
        out.writeByte(packet.sessionPresent() && version != ProtocolVersion.V3_1 ? 1 : 0);
        out.writeByte(code);
        if (version.hasProperties()) {
            int properties = out.openLength();
            writeLimits(packet, out);
            writeFeatures(packet, out);
            writeTexts(packet, out);
            out.closeLength(properties);
        }
    }

    private static void writeLimits(ConnAck packet, PacketWriter out) {
        PropertyWriter.number(
                out, Property.SESSION_EXPIRY_INTERVAL, packet.sessionExpiryIntervalSeconds(), ConnAck.AS_REQUESTED);
        PropertyWriter.number(out, Property.RECEIVE_MAXIMUM, packet.receiveMaximum(), Connect.DEFAULT_RECEIVE_MAXIMUM);
        PropertyWriter.number(
                out, Property.MAXIMUM_PACKET_SIZE, packet.maximumPacketSizeBytes(), Connect.NO_PACKET_SIZE_LIMIT);
        PropertyWriter.number(out, Property.TOPIC_ALIAS_MAXIMUM, packet.topicAliasMaximum(), 0);
        PropertyWriter.number(out, Property.SERVER_KEEP_ALIVE, packet.serverKeepAliveSeconds(), ConnAck.AS_REQUESTED);
    }

    private static void writeFeatures(ConnAck packet, PacketWriter out) {
        PropertyWriter.number(
                out, Property.MAXIMUM_QOS, packet.maximumQos().level(), QualityOfService.EXACTLY_ONCE.level());
        PropertyWriter.flag(out, Property.RETAIN_AVAILABLE, packet.retainAvailable(), true);
        PropertyWriter.flag(
                out, Property.WILDCARD_SUBSCRIPTION_AVAILABLE, packet.wildcardSubscriptionAvailable(), true);
        PropertyWriter.flag(
                out, Property.SUBSCRIPTION_IDENTIFIER_AVAILABLE, packet.subscriptionIdentifiersAvailable(), true);
        PropertyWriter.flag(out, Property.SHARED_SUBSCRIPTION_AVAILABLE, packet.sharedSubscriptionAvailable(), true);
    }

    private static void writeTexts(ConnAck packet, PacketWriter out) {
        PropertyWriter.text(out, Property.ASSIGNED_CLIENT_IDENTIFIER, packet.assignedClientIdentifier());
        PropertyWriter.text(out, Property.RESPONSE_INFORMATION, packet.responseInformation());
        PropertyWriter.text(out, Property.SERVER_REFERENCE, packet.serverReference());
        PropertyWriter.text(out, Property.AUTHENTICATION_METHOD, packet.authenticationMethod());
        PropertyWriter.binary(out, Property.AUTHENTICATION_DATA, packet.authenticationData());
        PropertyWriter.diagnostics(out, packet.reasonString(), packet.userProperties());
    }
}
