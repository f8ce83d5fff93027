package dev.avocet.jms.client.wire;

import org.jspecify.annotations.Nullable;

/**
 * What a sender asks for.
 *
 * @param address null: each message says where it goes; with {@code dynamic}: the server names it
 * @param capability of the target; null: none
 */
public record SenderSpec(
        String name, @Nullable String address, @Nullable String capability, boolean dynamic) {}
