package dev.avocet.mqtt.codec;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.mqtt.codec.field.BodyReader;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.Property;
import dev.avocet.mqtt.codec.field.PropertyReader;
import dev.avocet.mqtt.packet.Publish;

/**
 * What the property section of a will says.
 *
 * @param forwardable what the published will carries
 */
record WillProperties(
        long delayIntervalSeconds,
        long messageExpiryIntervalSeconds,
        boolean payloadText,
        MessageProperties forwardable) {
    static WillProperties read(BodyReader in) throws MalformedPacketException {
        long delaySeconds = 0;
        long expirySeconds = Publish.NO_EXPIRY;
        boolean payloadText = false;
        int forwardableBytes = 0;
        PropertyReader properties = in.readProperties(Property.WILL, "CONNECT will");
        while (properties.next()) {
            switch (properties.property()) {
                case WILL_DELAY_INTERVAL -> delaySeconds = properties.number();
                case MESSAGE_EXPIRY_INTERVAL -> expirySeconds = properties.number();
                case PAYLOAD_FORMAT_INDICATOR -> payloadText = properties.flag();
                case RESPONSE_TOPIC -> properties.checkResponseTopic();
                case CONTENT_TYPE, CORRELATION_DATA, USER_PROPERTY -> {}
                default -> throw properties.unhandled();
            }
            if (properties.property().isForwardable()) {
                forwardableBytes += properties.entryLength();
            }
        }
        return new WillProperties(delaySeconds, expirySeconds, payloadText, properties.copyOf(forwardableBytes));
    }
}
