package dev.avocet.mqtt.scale;

import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client of a broker with one loop that asks all the time whether the broker is there. The longest answer is measured
 * twice: by the clock, which on a busy machine says little, and by the processor time that the loop used until it
 * answered, which is how long the loop was held by something else.
 */
final class PingPong implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Clock clock = new SystemClock();
    private final RawClient client;
    private final long loopThreadId;
    private final Thread thread = new Thread(this::run, "ping-pong");
    private volatile boolean stopping;
    private long longestNs;
    private long longestCpuNs;

    private PingPong(RawClient client, long loopThreadId) {
        this.client = client;
        this.loopThreadId = loopThreadId;
    }

    static PingPong beside(TestBroker broker) {
        long loopThreadId = CompletableFuture.supplyAsync(
                        () -> Thread.currentThread().getId(),
                        broker.broker().loops().get(0)::execute)
                .join();
        return new PingPong(RawClient.connected(broker.port(), "ping-pong"), loopThreadId);
    }

    void start() {
        thread.start();
    }

    Longest stop() throws InterruptedException {
        stopping = true;
        thread.join();
        return new Longest(TimeUnit.NANOSECONDS.toMillis(longestNs), TimeUnit.NANOSECONDS.toMillis(longestCpuNs));
    }

    @Override
    public void close() {
        stopping = true;
        client.close();
    }

    private void run() {
        while (!stopping) {
            long fromNs = clock.nanoTime();
            long cpuFromNs = THREADS.getThreadCpuTime(loopThreadId);
            client.send(PingReq.INSTANCE);
            client.receive(PingResp.class);
            longestNs = Math.max(longestNs, clock.nanoTime() - fromNs);
            longestCpuNs = Math.max(longestCpuNs, THREADS.getThreadCpuTime(loopThreadId) - cpuFromNs);
        }
    }

    /** The longest answer, in milliseconds, by the clock and by the loop's processor time. */
    record Longest(long clockMs, long loopCpuMs) {}
}
