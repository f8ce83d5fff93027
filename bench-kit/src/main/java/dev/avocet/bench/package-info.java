/**
 * What the load generators {@code mqttbench} and {@code jmsbench} share: runs, checks, latencies, reports, workloads,
 * and agents on other machines.
 *
 * <p>Owner thread: main. May depend on: no module of a broker and on no load generator, so that any broker can be
 * measured. Start reading at {@code dev.avocet.bench.run}.
 */
@NullMarked
package dev.avocet.bench;

import org.jspecify.annotations.NullMarked;
