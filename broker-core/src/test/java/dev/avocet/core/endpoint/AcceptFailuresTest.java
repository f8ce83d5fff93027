package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.Counter;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.ManualLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AcceptFailuresTest {
    private final ManualLoop loop = new ManualLoop(0, new ManualClock(), new MemoryGuard());
    private final EmbeddedChannel listener = new EmbeddedChannel(new AcceptFailures("test", loop.io()));

    @BeforeEach
    void stopTime() {
        listener.freezeTime();
    }

    @Test
    void shouldPauseAndGoOn() {
        fail();
        fail();

        assertThat(listener.config().isAutoRead()).isFalse();
        assertThat(loop.io().counters().get(Counter.ACCEPT_FAILURES)).isEqualTo(2);
        pass(999);
        assertThat(listener.config().isAutoRead()).isFalse();
        pass(1);
        assertThat(listener.config().isAutoRead()).isTrue();
        listener.checkException(); // nothing reaches the end of the pipeline, where it would be logged each time
        assertThat(listener.isOpen()).isTrue();
    }

    @Test
    void shouldPauseAgainWhenItFailsAgain() {
        fail();
        pass(1_000);

        fail();

        assertThat(listener.config().isAutoRead()).isFalse();
        pass(1_000);
        assertThat(listener.config().isAutoRead()).isTrue();
    }

    private void fail() {
        listener.pipeline().fireExceptionCaught(new IOException("Too many open files"));
    }

    private void pass(long durationMs) {
        listener.advanceTimeBy(durationMs, TimeUnit.MILLISECONDS);
        listener.runScheduledPendingTasks();
    }
}
