package dev.avocet.jms.client.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver asks for.
 *
 * @param name the link's, which for a durable or shared subscription says which it is
 * @param address null: only looks whether there is a subscription of that name, in order to end it
 * @param selector null: none
 */
public record ReceiverSpec(
        String name,
        @Nullable String address,
        List<String> capabilities,
        @Nullable String selector,
        boolean noLocal,
        boolean durable,
        boolean browser,
        boolean settled) {}
