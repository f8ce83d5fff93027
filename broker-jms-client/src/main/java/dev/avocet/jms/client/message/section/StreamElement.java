package dev.avocet.jms.client.message.section;

import org.jspecify.annotations.Nullable;

/** What a value in the body of a map or stream message is to JMS. */
public final class StreamElement {
    private StreamElement() {}

    /** Characters stay characters here, other than in properties. */
    public static @Nullable Object asJms(final @Nullable Object value) {
        return value instanceof Character ? value : MessageHead.asJms(value);
    }
}
