/**
 * Producers that send to destinations and consumers that take from them.
 *
 * <p>A {@link dev.avocet.bench.jms.flow.ProducerThread} owns its sessions and goes through their
 * {@link dev.avocet.bench.jms.flow.Outlet outlets} in turn; an {@link dev.avocet.bench.jms.flow.Inlet} belongs to a
 * {@link dev.avocet.bench.jms.flow.ConsumerThread}, or to its session's thread in the client when it is a listener.
 * Neither way allocates once it is under way.
 *
 * <p>May depend on: {@code traffic}, {@code plan}, {@code destination}, the shared packages, {@code jakarta.jms}. Start
 * reading at {@link dev.avocet.bench.jms.flow.FlowTraffic}.
 */
@NullMarked
package dev.avocet.bench.jms.flow;

import org.jspecify.annotations.NullMarked;
