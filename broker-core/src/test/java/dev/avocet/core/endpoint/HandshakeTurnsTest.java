package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.endpoint.HandshakeTurns.Handshake;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.metrics.Counter;
import dev.avocet.testkit.ManualClock;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In which order handshakes are served. */
class HandshakeTurnsTest {
    private static final int CLIENTS = 20;
    private static final int PLACES = 6;

    private final ManualClock clock = new ManualClock();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Queue<Runnable> afterInput = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, Runnable::run, afterInput::add, () -> true, clock, new MemoryGuard());
    private final HandshakeTurns turns = new HandshakeTurns(loop);
    private final List<Integer> steps = new ArrayList<>();
    private final List<Handshake> handshakes = IntStream.range(0, CLIENTS)
            .mapToObj(client -> turns.handshake(channel.eventLoop(), () -> steps.add(client)))
            .toList();

    @Test
    void shouldBeginAFewInTheOrderInWhichTheyCame() {
        handshakes.forEach(Handshake::take);

        runTurns();

        assertThat(steps).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(loop.counters().get(Counter.TLS_HANDSHAKES_WAITING)).isEqualTo(CLIENTS - PLACES);
    }

    @Test
    void shouldServeThoseThatHaveBegunBeforeOthersBegin() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        handshakes.get(3).take();
        handshakes.get(1).take();
        handshakes.get(0).end();
        runTurns();

        // then
        assertThat(steps.subList(PLACES, steps.size())).containsExactly(3, 1, 6);
    }

    @Test
    void shouldGiveThePlacesOfSilentClientsToOthers() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        pass(3);

        // then
        assertThat(steps).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void shouldServeMostlyThoseThatCameLastWhileOthersHaveWaitedLong() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        pass(60);

        // then
        assertThat(steps.subList(PLACES, steps.size())).containsExactly(19, 18, 17, 6, 7, 16);
    }

    @Test
    void shouldServeAllOfAStorm() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        pass(60);
        pass(3);
        pass(3);

        // then
        assertThat(steps)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, CLIENTS).boxed().toList());
        assertThat(loop.counters().get(Counter.TLS_HANDSHAKES_WAITING)).isZero();
    }

    @Test
    void shouldForgetClientsThatGoWhileTheyWait() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        IntStream.range(0, CLIENTS - 1).forEach(client -> handshakes.get(client).end());
        runTurns();

        // then
        assertThat(steps).containsExactly(0, 1, 2, 3, 4, 5, CLIENTS - 1);
    }

    @Test
    void shouldTakeSoManyStepsBetweenTwoLooksForInput() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();
        steps.clear();

        // when
        pass(3);
        IntStream.range(0, 2 * PLACES).forEach(client -> handshakes.get(client).take());
        steps.clear();
        afterInput.remove().run();

        // then
        assertThat(steps).hasSize(8);
    }

    private void pass(long ms) {
        clock.advance(Duration.ofMillis(ms));
        channel.advanceTimeBy(ms, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
        runTurns();
    }

    private void runTurns() {
        for (Runnable next = afterInput.poll(); next != null; next = afterInput.poll()) {
            next.run();
        }
    }
}
