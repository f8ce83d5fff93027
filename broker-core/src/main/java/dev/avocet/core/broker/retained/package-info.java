/**
 * Retained messages that lie on disk or are being replaced: reads of them, their replay to a new subscription, and how
 * long a removed one is remembered.
 *
 * <p>Owner: as each class says.
 *
 * <p>May depend on: topic, queue, store, loop. Must not know the broker that holds it.
 */
@NullMarked
package dev.avocet.core.broker.retained;

import org.jspecify.annotations.NullMarked;
