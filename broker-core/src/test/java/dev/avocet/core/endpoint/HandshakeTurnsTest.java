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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order handshakes are served. */
class HandshakeTurnsTest {
    private static final int CLIENTS = 100;
    private static final int PLACES = 32;

    private final ManualClock clock = new ManualClock();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Queue<Runnable> afterInput = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, Runnable::run, afterInput::add, () -> true, clock, new MemoryGuard());
    private final HandshakeTurns turns = new HandshakeTurns(loop);
    private final List<Integer> steps = new ArrayList<>();
    private boolean areNear;
    private final List<Handshake> handshakes =
            IntStream.range(0, CLIENTS).mapToObj(this::handshake).toList();

    @Test
    void shouldBeginAFewInTheOrderInWhichTheyCame() {
        handshakes.forEach(Handshake::take);

        runTurns();

        assertThat(steps).containsExactlyElementsOf(numbers(0, PLACES));
        assertThat(loop.counters().get(Counter.TLS_HANDSHAKES_WAITING)).isEqualTo(CLIENTS - PLACES);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldServeThoseThatHaveBegunBeforeOthersBegin(boolean near) {
        // given
        areNear = near;
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        handshakes.get(3).take();
        handshakes.get(1).take();
        handshakes.get(0).end();
        runTurns();

        // then
        assertThat(steps.subList(PLACES, steps.size())).containsExactly(3, 1, PLACES);
    }

    @Test
    void shouldGiveThePlacesOfSilentClientsToOthers() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        pass(3);

        // then
        assertThat(steps).containsExactlyElementsOf(numbers(0, 2 * PLACES));
    }

    @Test
    void shouldLetNearClientsCalculateBeforeOthersBegin() {
        // given
        areNear = true;
        handshakes.forEach(Handshake::take);
        runTurns();

        // when they answer one by one
        for (int client = 0; client < 5; client++) {
            pass(2);
            handshakes.get(client).take();
            runTurns();
        }

        // then
        assertThat(steps.subList(PLACES, steps.size())).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldBeginAnotherOneWhenNearClientsAreAllSilent() {
        // given
        areNear = true;
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        pass(3);
        pass(3);

        // then
        assertThat(steps).containsExactlyElementsOf(numbers(0, PLACES + 2));
    }

    @Test
    void shouldGiveThePlacesOfNearClientsAwayThatAreSilentForLong() {
        // given
        areNear = true;
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        pass(101);

        // then
        assertThat(steps).hasSize(2 * PLACES);
    }

    @Test
    void shouldServeMostlyThoseThatCameLastWhileOthersHaveWaitedLong() {
        // given
        handshakes.forEach(Handshake::take);
        runTurns();

        // when
        pass(60);

        // then
        assertThat(steps.subList(PLACES, steps.size()))
                .hasSize(PLACES)
                .startsWith(99, 98, 97, PLACES, 96, 95, 94, PLACES + 1, 93, 92, 91, PLACES + 2);
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
        pass(3);

        // then
        assertThat(steps).containsExactlyInAnyOrderElementsOf(numbers(0, CLIENTS));
        assertThat(loop.counters().get(Counter.TLS_HANDSHAKES_WAITING)).isZero();
    }

    @Test
    void shouldHaveMostClientsOfALongStormThroughAtOnceAndNoneWaitForEver() {
        // given so many at a time, and a new one for each that is through
        int atOnce = CLIENTS;
        int all = 20 * atOnce;
        List<Handshake> storm =
                IntStream.range(0, all).mapToObj(this::handshake).toList();
        storm.subList(0, atOnce).forEach(Handshake::take);
        List<Integer> waits = new ArrayList<>();
        clock.advance(Duration.ofMillis(60));

        // when
        int came = atOnce;
        int[] cameAt = new int[all];
        while (waits.size() < all && !afterInput.isEmpty()) {
            int before = steps.size();
            afterInput.remove().run();
            for (int through : List.copyOf(steps.subList(before, steps.size()))) {
                waits.add(waits.size() - cameAt[through]);
                storm.get(through).end();
                if (came < all) {
                    cameAt[came] = waits.size();
                    storm.get(came++).take();
                }
            }
            clock.advance(Duration.ofMillis(60));
        }

        // then
        assertThat(steps).containsExactlyInAnyOrderElementsOf(numbers(0, all));
        assertThat(waits.stream().filter(wait -> wait <= PLACES)).hasSizeGreaterThan(all / 2);
        assertThat(waits).allMatch(wait -> wait <= 4 * (atOnce + PLACES));
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
        assertThat(steps).hasSize(PLACES + 1).endsWith(CLIENTS - 1);
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

    private Handshake handshake(int client) {
        return turns.handshake(channel.eventLoop(), () -> steps.add(client), () -> areNear);
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
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
