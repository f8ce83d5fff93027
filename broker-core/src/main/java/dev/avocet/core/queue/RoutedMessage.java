package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;

/** A message that waits with delivery options of its own. Most wait without, so a ring holds either this or the message itself. */
record RoutedMessage(Message message, DeliveryOptions options) {}
