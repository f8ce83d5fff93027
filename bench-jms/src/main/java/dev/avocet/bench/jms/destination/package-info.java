/**
 * Which destination has which name: producers and consumers of different processes meet because the names are
 * arithmetic.
 *
 * <p>Values without threads; computed once before a run. May depend on nothing but the JDK. Start at {@link
 * dev.avocet.bench.jms.destination.DestinationNames}.
 */
@NullMarked
package dev.avocet.bench.jms.destination;

import org.jspecify.annotations.NullMarked;
