package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.run.HarnessLoad;

/**
 * What the span of a run that counts has shown. The rates are of messages.
 *
 * @param backlogGrowth how many messages more were under way at its end than at its beginning
 */
record Measured(
        double seconds,
        double intendedPerSecond,
        double sentPerSecond,
        double receivedPerSecond,
        long backlogGrowth,
        HarnessLoad harness) {}
