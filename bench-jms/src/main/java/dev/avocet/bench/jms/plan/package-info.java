/**
 * What a run is asked to do, checked as far as it can be without a broker. Values; any thread.
 *
 * <p>May depend on: {@code destination}, the shared {@code run}. Start reading at
 * {@link dev.avocet.bench.jms.plan.FlowPlan} and {@link dev.avocet.bench.jms.plan.RequestPlan}.
 */
@NullMarked
package dev.avocet.bench.jms.plan;

import org.jspecify.annotations.NullMarked;
