package dev.avocet.bench.latency;

/** A point of a distribution. @param percent of the samples took {@code latencyNs} or less */
public record Percentile(double percent, long latencyNs) {}
