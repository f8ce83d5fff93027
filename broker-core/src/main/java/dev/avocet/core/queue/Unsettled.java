package dev.avocet.core.queue;

import dev.avocet.core.message.Message;

/**
 * A message that a consumer had in flight and gives up.
 *
 * @param reference as it came with the delivery
 */
public record Unsettled(Message message, long reference) {}
