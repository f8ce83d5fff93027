/**
 * What is on its way through a queue: what other threads bring in, what is held back until its time has come, and the
 * consumers of a subscription, who take it. It knows neither how messages wait nor who keeps them.
 *
 * <p>Start at {@link dev.avocet.core.queue.transit.Consumer} and {@link dev.avocet.core.queue.transit.DeliverySource}.
 */
@NullMarked
package dev.avocet.core.queue.transit;

import org.jspecify.annotations.NullMarked;
