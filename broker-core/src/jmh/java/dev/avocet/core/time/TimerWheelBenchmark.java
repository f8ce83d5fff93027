package dev.avocet.core.time;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a keep-alive timer costs each time a packet pushes it back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TimerWheelBenchmark {
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long DELAY_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Runnable NOTHING = () -> {};

    @Param({"0", "100000"})
    int idleTimers;

    private TimerWheel wheel;

    @Setup
    public void fillTheWheel() {
        wheel = new TimerWheel(new SystemClock(), TICK_NS);
        for (int i = 0; i < idleTimers; i++) {
            wheel.schedule(DELAY_NS + i * TICK_NS % DELAY_NS, NOTHING);
        }
    }

    @Benchmark
    public int scheduleAndCancel() {
        wheel.schedule(DELAY_NS, NOTHING).cancel();
        return wheel.size();
    }
}
