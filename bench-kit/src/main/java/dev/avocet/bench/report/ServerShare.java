package dev.avocet.bench.report;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencySummary;

/**
 * What a run came to at one of several servers.
 *
 * @param name of the server
 * @param tally of the whole run, as that of the result
 * @param latency of its messages, or round trips
 */
public record ServerShare(
        String name, Tally tally, double sentPerSecond, double receivedPerSecond, LatencySummary latency) {}
