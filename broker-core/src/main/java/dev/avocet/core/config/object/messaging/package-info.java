/**
 * What messages pass through: endpoints, hubs and queues, topic monitors, and the subscriptions that an
 * administrator creates. Owner thread: none; everything is immutable. May depend on: core.config.object.field. Start
 * at {@link dev.avocet.core.config.object.messaging.Endpoint}.
 */
@NullMarked
package dev.avocet.core.config.object.messaging;

import org.jspecify.annotations.NullMarked;
