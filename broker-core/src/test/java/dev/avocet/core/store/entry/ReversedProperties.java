package dev.avocet.core.store.entry;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.message.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Properties of a front end that exists in tests only: a text, which is stored backwards. */
public record ReversedProperties(String text) implements MessageProperties {
    private static final int FORMAT = 3;

    public static PropertiesFormat properties() {
        return new Format();
    }

    @Override
    public int format() {
        return FORMAT;
    }

    @Override
    public byte[] encoded() {
        return reversed(text).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isEmpty() {
        return false;
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
    public int sizeBytes() {
        return text.length();
    }

    private static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    /** Reads them back. */
    private static final class Format implements PropertiesFormat {
        @Override
        public int number() {
            return FORMAT;
        }

        @Override
        public MessageProperties decode(byte[] encoded) {
            return new ReversedProperties(reversed(new String(encoded, StandardCharsets.UTF_8)));
        }
    }
}
