package dev.avocet.amqp.message;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;

/** Reads the properties of AMQP messages back from the store. */
public final class AmqpFormat implements PropertiesFormat {
    static final int NUMBER = 2;

    @Override
    public int number() {
        return NUMBER;
    }

    @Override
    public MessageProperties decode(byte[] encoded) {
        try {
            return AmqpProperties.decode(encoded);
        } catch (AmqpException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
