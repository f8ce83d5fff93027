package dev.avocet.server.store;

import org.HdrHistogram.Histogram;

/**
 * One look at a store.
 *
 * @param figures as they are
 * @param latencySumNs of all commits since the start, as exact as their histogram
 * @param latencyNs of the commits of the last minute or two
 * @param forceNs the same, what the disk took
 * @param records that became durable with each of these commits
 */
record StoreSample(
        StoreFigures figures, double latencySumNs, Histogram latencyNs, Histogram forceNs, Histogram records) {}
