package dev.avocet.mqtt.codec.field;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;

/** Properties in the store: as MQTT 5 writes them. */
public final class StoredProperties implements PropertiesFormat {
    static final int NUMBER = 1;

    @Override
    public int number() {
        return NUMBER;
    }

    @Override
    public MessageProperties decode(byte[] encoded) {
        return encoded.length == 0 ? MessageProperties.NONE : new MqttMessageProperties(encoded);
    }
}
