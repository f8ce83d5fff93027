package dev.avocet.jms.client.codec;

import org.jspecify.annotations.Nullable;

/** A described type that the client does not know. */
public record Described(
        @Nullable Object descriptor, @Nullable Object value) {}
