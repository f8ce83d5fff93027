package dev.avocet.bench.jms.flow;

import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RunClock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How long a thread's calls of one kind take, where it is asked for. Owned by that thread. */
final class TimedCall {
    private final RunClock clock;
    private final @Nullable LatencyRecorder latency;

    TimedCall(RunClock clock, boolean isTimed) {
        this.clock = clock;
        latency = isTimed ? new LatencyRecorder() : null;
    }

    /** @return what {@link #end} wants */
    long begin() {
        return latency == null ? 0 : clock.nanoTime();
    }

    void end(long beginNs) {
        if (latency != null) {
            latency.record(clock.nanoTime() - beginNs);
        }
    }

    /** None, where it was not asked for. */
    Stream<LatencyRecorder> latency() {
        return Stream.ofNullable(latency);
    }
}
