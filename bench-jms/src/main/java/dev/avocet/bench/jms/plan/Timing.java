package dev.avocet.bench.jms.plan;

/**
 * How long the parts of a run take.
 *
 * @param warmUpNs before it is measured
 * @param measureNs how long it is measured; with a number of messages: at most
 * @param drainNs how long nothing may arrive, after sending is over, before what is missing is lost
 * @param intervalNs of the figures on the way
 */
public record Timing(long warmUpNs, long measureNs, long drainNs, long intervalNs) {}
