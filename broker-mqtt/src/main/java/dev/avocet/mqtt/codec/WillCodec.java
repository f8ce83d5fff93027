package dev.avocet.mqtt.codec;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyWriter;
import dev.avocet.mqtt.codec.field.Utf8;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;

/** The will inside CONNECT: properties, topic, payload. */
final class WillCodec {
    private WillCodec() {}

    static ConnectWill decode(ProtocolVersion version, ConnectFlags flags, BodyReader in)
            throws MalformedPacketException {
        return version.hasProperties() ? decodeWithProperties(flags, in) : decodePlain(flags, in);
    }

    private static ConnectWill decodePlain(ConnectFlags flags, BodyReader in) throws MalformedPacketException {
        String topic = readTopic(in);
        return new ConnectWill(topic, in.readBinary("will payload"), flags.willQos(), flags.isWillRetain());
    }

    private static ConnectWill decodeWithProperties(ConnectFlags flags, BodyReader in) throws MalformedPacketException {
        WillProperties properties = WillProperties.read(in);
        ConnectWill plain = decodePlain(flags, in);
        byte[] payload = plain.payload();
        if (properties.payloadText() && !Utf8.isWellFormed(payload, 0, payload.length)) {
            throw new MalformedPacketException(
                    ReasonCode.PAYLOAD_FORMAT_INVALID,
                    "CONNECT: the will payload is not the UTF-8 that it claims to be");
        }
        return plain.withDelayIntervalSeconds(properties.delayIntervalSeconds())
                .withMessageExpiryIntervalSeconds(properties.messageExpiryIntervalSeconds())
                .withProperties(properties.forwardable());
    }

    private static String readTopic(BodyReader in) throws MalformedPacketException {
        String topic = in.readUtf8("will topic"); // [MQTT-3.1.3-11]
        if (topic.isEmpty() || topic.indexOf('+') >= 0 || topic.indexOf('#') >= 0) {
            throw new MalformedPacketException(
                    ReasonCode.TOPIC_NAME_INVALID,
                    "CONNECT: the will topic is not a topic name [MQTT-4.7.3-1] [MQTT-4.7.0-1]");
        }
        return topic;
    }

    static void encode(ProtocolVersion version, ConnectWill will, PacketWriter out) {
        if (version.hasProperties()) {
            int properties = out.openLength();
            PropertyWriter.number(out, Property.WILL_DELAY_INTERVAL, will.delayIntervalSeconds(), 0);
            PropertyWriter.number(
                    out, Property.MESSAGE_EXPIRY_INTERVAL, will.messageExpiryIntervalSeconds(), Publish.NO_EXPIRY);
            MessageProperties converted = MqttMessageProperties.of(will.properties());
            if (converted instanceof MqttMessageProperties mqtt) {
                out.writeBytes(mqtt.encoded());
            }
            out.closeLength(properties);
        }
        out.writeUtf8(will.topic());
        out.writeBinary(will.payload());
    }
}
