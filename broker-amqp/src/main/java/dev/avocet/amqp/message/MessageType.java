package dev.avocet.amqp.message;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of messages that Jakarta Messaging knows; ordinals are the values of {@code x-opt-jms-msg-type}. */
enum MessageType {
    MESSAGE,
    OBJECT,
    MAP,
    BYTES,
    STREAM,
    TEXT;

    /**
     * A user property that MQTT clients get with those messages whose type could not be told from the payload, and by
     * which a message that they send becomes one of that type.
     */
    static final String PROPERTY = "JMS_AVOCET_MessageType";

    private static final MessageType[] ALL = values();

    /** The value of {@link #PROPERTY} where it is needed; null where bytes and texts speak for themselves. */
    @Nullable String mark() {
        return this == BYTES || this == TEXT ? null : name().toLowerCase(Locale.ROOT);
    }

    static @Nullable MessageType ofMark(@Nullable String mark) {
        for (MessageType each : ALL) {
            if (each.name().equalsIgnoreCase(mark)) {
                return each;
            }
        }
        return null;
    }

    /** @param annotation the value of {@code x-opt-jms-msg-type} */
    static @Nullable MessageType ofAnnotation(int annotation) {
        return annotation < 0 || annotation >= ALL.length ? null : ALL[annotation];
    }
}
