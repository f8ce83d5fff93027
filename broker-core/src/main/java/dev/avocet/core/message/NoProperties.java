package dev.avocet.core.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link MessageProperties#NONE}. */
final class NoProperties implements MessageProperties {
    private static final byte[] NOTHING = {};

    @Override
    public boolean isEmpty() {
        return true;
    }

    @Override
    public boolean isPayloadText() {
        return false;
    }

    @Override
    public @Nullable String contentType() {
        return null;
    }

    @Override
    public @Nullable String responseTopic() {
        return null;
    }

    @Override
    public byte @Nullable [] correlationData() {
        return null;
    }

    @Override
    public List<UserProperty> userProperties() {
        return List.of();
    }

    @Override
    public int format() {
        return PropertiesFormat.NONE;
    }

    @Override
    public byte[] encoded() {
        return NOTHING;
    }

    @Override
    public int sizeBytes() {
        return 0;
    }
}
