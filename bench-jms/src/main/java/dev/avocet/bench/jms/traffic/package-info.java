/**
 * What producers, consumers, requesters and responders have in common: connections, payloads, the list of what went
 * wrong, and {@link dev.avocet.bench.jms.traffic.Traffic}, the face that they show to the thread that measures.
 *
 * <p>May depend on: {@code plan}, the shared {@code check}, {@code latency} and {@code run}, {@code jakarta.jms}.
 */
@NullMarked
package dev.avocet.bench.jms.traffic;

import org.jspecify.annotations.NullMarked;
