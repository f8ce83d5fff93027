package dev.avocet.bench.latency;

/** A point of a distribution: so many per cent of the samples took that long or less. */
public record Percentile(double percent, long latencyNs) {}
