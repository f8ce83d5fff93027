package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TurnsTest {
    private static final int CALLERS = 4;
    private static final int TASKS = 20_000;

    private final EventLoop loop = new DefaultEventLoop();
    private final AtomicInteger ends = new AtomicInteger();
    private final Turns turns = new Turns(loop, ends::incrementAndGet);
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeLoop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void shouldRunOnTheLoopInOrder() {
        // when
        turns.run(() -> see("first"));
        turns.run(() -> see("second"));

        // then
        await().untilAsserted(() -> assertThat(seen).containsExactly("first on the loop", "second on the loop"));
        await().untilAsserted(() -> assertThat(ends).hasPositiveValue());
    }

    @Test
    void shouldRunOnTheCallersThreadWhenTheTurnIsFree() {
        // when
        turns.runHere(() -> see("sent"));

        // then
        assertThat(seen).containsExactly("sent by a caller");
        assertThat(ends).hasValue(1);
    }

    @Test
    void shouldLeaveToTheLoopWhatComesWhileACallerHasTheTurn() {
        // when
        turns.runHere(() -> {
            turns.run(() -> see("task"));
            turns.runHere(() -> see("send"));
            see("sent");
        });

        // then
        await().untilAsserted(() ->
                assertThat(seen).containsExactly("sent by a caller", "task on the loop", "send on the loop"));
    }

    @Test
    void shouldTellAtOnceOrAfterWhatWasThereBefore() throws Exception {
        // given
        final CountDownLatch within = new CountDownLatch(1);
        final CountDownLatch told = new CountDownLatch(1);
        final CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> turns.runHere(() -> {
            within.countDown();
            pass(told);
            see("sent");
        }));

        // when
        within.await();
        loop.submit(() -> turns.tell(() -> see("event"))).get();
        told.countDown();
        caller.get();

        // then
        await().untilAsserted(() -> assertThat(seen).containsExactly("sent by a caller", "event on the loop"));

        // when
        final List<String> during = new ArrayList<>();
        loop.submit(() -> {
                    turns.tell(() -> see("next"));
                    during.addAll(seen);
                })
                .get();

        // then
        assertThat(during).endsWith("next on the loop");
    }

    @Test
    void shouldGoOnAfterATaskThatFails() {
        // when
        turns.runHere(() -> {
            throw new IllegalStateException("of the test");
        });
        turns.run(() -> {
            throw new IllegalStateException("of the test");
        });
        turns.run(() -> see("after"));

        // then
        await().untilAsserted(() -> assertThat(seen).containsExactly("after on the loop"));
        await().untilAsserted(() -> {
            turns.runHere(() -> see("free"));
            assertThat(seen).endsWith("free by a caller");
        });
    }

    @Test
    void shouldWaitForACallerThatHasTheTurn() throws Exception {
        // given
        final CountDownLatch within = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> turns.runHere(() -> {
            within.countDown();
            pass(go);
            see("written");
        }));
        within.await();

        // when
        final var closing = loop.submit(() -> {
            turns.awaitCaller();
            see("closed");
        });
        assertThat(closing.await(20)).isFalse();
        go.countDown();
        caller.get();

        // then
        closing.get();
        assertThat(seen).containsExactly("written by a caller", "closed on the loop");
    }

    @Test
    void shouldHaveOneTurnAtATimeAndLoseNothing() throws Exception {
        // given
        final int[] had = new int[1];
        final int[] within = new int[1];
        final List<Integer> last = new ArrayList<>(List.of(-1, -1, -1, -1));
        final List<String> wrong = new CopyOnWriteArrayList<>();

        // when
        final List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            final int which = caller;
            callers.add(CompletableFuture.runAsync(() -> {
                for (int i = 0; i < TASKS; i++) {
                    final int number = i;
                    final Runnable task = () -> {
                        if (++within[0] != 1 || last.set(which, number) != number - 1) {
                            wrong.add(which + " " + number);
                        }
                        had[0]++;
                        within[0]--;
                    };
                    if (which == 0) {
                        loop.execute(() -> turns.tell(task));
                    } else if (which == 1) {
                        turns.run(task);
                    } else {
                        turns.runHere(task);
                    }
                }
            }));
        }
        for (final CompletableFuture<Void> caller : callers) {
            caller.get(60, TimeUnit.SECONDS);
        }
        final CompletableFuture<Integer> all = new CompletableFuture<>();
        loop.execute(() -> turns.run(() -> all.complete(had[0])));

        // then
        assertThat(all.get(60, TimeUnit.SECONDS)).isEqualTo(CALLERS * TASKS);
        assertThat(wrong).isEmpty();
    }

    private void see(final String what) {
        seen.add(what + (loop.inEventLoop() ? " on the loop" : " by a caller"));
    }

    private static void pass(final CountDownLatch latch) {
        try {
            latch.await();
        } catch (final InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
