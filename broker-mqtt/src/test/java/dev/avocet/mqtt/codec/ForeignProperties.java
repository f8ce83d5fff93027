package dev.avocet.mqtt.codec;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.UserProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Properties as another front end might make them: text payload, correlation data of one byte 9, one user property. */
record ForeignProperties(
        @Nullable String contentType, @Nullable String responseTopic, String name, String value)
        implements MessageProperties {
    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public boolean isPayloadText() {
        return true;
    }

    @Override
    public byte[] correlationData() {
        return new byte[] {9};
    }

    @Override
    public List<UserProperty> userProperties() {
        return List.of(new UserProperty(name, value));
    }

    @Override
    public int format() {
        return 200;
    }

    @Override
    public byte[] encoded() {
        return new byte[0];
    }

    @Override
    public int sizeBytes() {
        return 100;
    }
}
