package dev.avocet.jms.client.wire;

import org.jspecify.annotations.Nullable;

/**
 * What a sender asks for.
 *
 * @param address null: each message says where it goes; with {@code dynamic}: the server names it
 * @param capability of the target; null: none
 * @param prefix what the server is asked to begin a dynamic node's name with; null: nothing
 */
public record SenderSpec(
        String name,
        @Nullable String address,
        @Nullable String capability,
        boolean dynamic,
        @Nullable String prefix) {}
