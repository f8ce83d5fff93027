package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.BrokerMetrics;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopGroupTest {
    private static final int PATIENCE_S = 30;

    private final EventLoops threads = new EventLoops(Transport.best(), 2);

    @AfterEach
    void stop() {
        threads.close();
    }

    @Test
    void shouldLeaveTheThreadsToAnotherGroupWhenItIsClosed() throws Exception {
        // given
        CountDownLatch ran = new CountDownLatch(2);
        group().close();

        // when
        try (LoopGroup second = group()) {
            second.loops().forEach(loop -> loop.execute(ran::countDown));

            // then
            assertThat(ran.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldRunNothingAnyMoreWhenItIsClosed() throws Exception {
        // given: a timer and a task that goes on for ever
        LoopGroup group = new LoopGroup(threads, new SystemClock(), new MemoryGuard());
        IoLoop loop = group.loops().get(0);
        AtomicInteger turns = new AtomicInteger();
        AtomicInteger ticks = new AtomicInteger();
        loop.execute(() -> {
            turn(loop, turns);
            tick(loop, ticks);
        });
        Awaitility.await().until(() -> turns.get() > 10 && ticks.get() > 0);

        // when
        group.close();

        // then
        int turnsThen = turns.get();
        int ticksThen = ticks.get();
        CountDownLatch later = new CountDownLatch(1);
        var unused = threads.all().get(0).schedule(later::countDown, 200, TimeUnit.MILLISECONDS);
        assertThat(later.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
        assertThat(turns).hasValue(turnsThen);
        assertThat(ticks).hasValue(ticksThen);
    }

    @Test
    void shouldCloseItsOwnConnectionsAndNoOthers() throws Exception {
        LoopGroup closed = group();
        try (LoopGroup other = group();
                EndpointListener ofClosed = listen(closed);
                EndpointListener ofOther = listen(other);
                Socket lost = connect(ofClosed);
                Socket kept = connect(ofOther)) {
            // given: the connections are there, on whatever thread
            Awaitility.await().until(() -> isOwned(closed) && isOwned(other));

            // when
            closed.close();

            // then
            assertThat(lost.getInputStream().read()).as("end of stream").isEqualTo(-1);
            assertThat(isOwned(closed)).isFalse();
            assertThat(isOwned(other)).isTrue();
            assertThat(kept.getInputStream().available()).isZero();
        }
    }

    private static boolean isOwned(LoopGroup group) {
        List<LoopCounters> counters =
                group.loops().stream().map(IoLoop::counters).toList();
        return new BrokerMetrics(counters).get(Counter.CONNECTIONS_ACTIVE) == 1;
    }

    private LoopGroup group() {
        return new LoopGroup(threads, new ManualClock(), new MemoryGuard());
    }

    private static void turn(IoLoop loop, AtomicInteger turns) {
        turns.incrementAndGet();
        loop.executeAfterInput(() -> turn(loop, turns));
    }

    private static void tick(IoLoop loop, AtomicInteger ticks) {
        loop.timers().schedule(0, () -> {
            ticks.incrementAndGet();
            tick(loop, ticks);
        });
    }

    private static EndpointListener listen(LoopGroup loops) throws IOException {
        ConnectionGuard guard =
                new ConnectionGuard(new ConnectionGuard.Limits(100, 100, 0), new MemoryGuard(), new SystemClock());
        return EndpointListener.bind(
                new EndpointOptions(
                        "test", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1 << 20, 10_000, 16),
                loops,
                guard,
                List.of());
    }

    private static Socket connect(EndpointListener listener) throws IOException {
        Socket client = new Socket();
        client.connect(listener.address());
        client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_S));
        return client;
    }
}
