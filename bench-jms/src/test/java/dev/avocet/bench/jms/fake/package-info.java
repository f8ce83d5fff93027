/** A JMS client and broker in the test's memory, which can be told to lose, double, swap or damage messages. */
@NullMarked
package dev.avocet.bench.jms.fake;

import org.jspecify.annotations.NullMarked;
