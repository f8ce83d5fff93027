/**
 * The JMS client under test, of whichever maker: found by the name of its connection factory, in a class path of its
 * own.
 *
 * <p>Used by the thread that starts a run. Knows nothing but the JDK and {@code jakarta.jms}. Start at {@link
 * dev.avocet.bench.jms.client.JmsLibrary}.
 */
@NullMarked
package dev.avocet.bench.jms.client;

import org.jspecify.annotations.NullMarked;
