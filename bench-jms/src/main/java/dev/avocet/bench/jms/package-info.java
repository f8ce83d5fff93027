/**
 * {@code jmsbench}, the load generator for Jakarta Messaging: the entry point of the process.
 *
 * <p>May depend on everything below it, and on no module of a broker. Start reading at
 * {@link dev.avocet.bench.jms.Main}, then at {@link dev.avocet.bench.jms.measure.JmsRun}.
 */
@NullMarked
package dev.avocet.bench.jms;

import org.jspecify.annotations.NullMarked;
