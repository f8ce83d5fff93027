/** The harness with real clients and real brokers, in the test's process. */
@NullMarked
package dev.avocet.bench.jms.brokers;

import org.jspecify.annotations.NullMarked;
