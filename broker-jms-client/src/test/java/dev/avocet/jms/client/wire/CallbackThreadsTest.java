package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbackThreadsTest {
    private static final int FEW = 2;

    private final Queue<Runnable> looks = new ConcurrentLinkedQueue<>();
    private final CallbackThreads threads = new CallbackThreads(FEW, looks::add);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();

    @AfterEach
    void endWaiting() {
        end.countDown();
    }

    private void waitForTheEnd() {
        waiting.incrementAndGet();
        try {
            end.await(1, TimeUnit.MINUTES);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAgain() {
        final Runnable look = looks.poll();
        assertThat(look).as("a look at the threads that is to come").isNotNull();
        look.run();
    }

    @Test
    void shouldCallManyOnFewThreads() {
        final Set<Thread> used = ConcurrentHashMap.newKeySet();
        final AtomicInteger called = new AtomicInteger();

        for (int i = 0; i < 1_000; i++) {
            threads.execute(() -> {
                used.add(Thread.currentThread());
                called.incrementAndGet();
            });
        }

        await().until(() -> called.get() == 1_000);
        assertThat(used).hasSizeLessThanOrEqualTo(FEW).allMatch(Thread::isDaemon);
    }

    @Test
    void shouldMakeNoThreadWhileAnotherHasNothingToDo() {
        final Set<Thread> used = ConcurrentHashMap.newKeySet();
        final AtomicInteger ended = new AtomicInteger();

        for (int i = 1; i <= 5; i++) {
            final int tasks = i;
            threads.execute(() -> {
                used.add(Thread.currentThread());
                ended.incrementAndGet();
            });
            await().until(() -> ended.get() == tasks && used.stream().allMatch(CallbackThreadsTest::isWaiting));
        }

        assertThat(used).hasSize(1);
    }

    @Test
    void shouldEndItsThreadsWithTheLastConnection() {
        final Set<Thread> used = ConcurrentHashMap.newKeySet();
        threads.execute(() -> used.add(Thread.currentThread()));
        await().until(() -> !used.isEmpty() && used.stream().allMatch(CallbackThreadsTest::isWaiting));

        threads.inUse(false);

        await().until(() -> used.stream().noneMatch(Thread::isAlive));
    }

    private static boolean isWaiting(final Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void shouldHaveMoreWhileAllWait() {
        // given
        for (int i = 0; i < 10; i++) {
            threads.execute(this::waitForTheEnd);
        }
        await().until(() -> waiting.get() == FEW);

        // when
        lookAgain();
        await().until(() -> waiting.get() == 3);
        lookAgain();
        await().until(() -> waiting.get() == 4);
        lookAgain();
        await().until(() -> waiting.get() == 6);
        lookAgain();

        // then
        await().until(() -> waiting.get() == 9);
        lookAgain();
        await().until(() -> waiting.get() == 10);
    }

    @Test
    void shouldHaveFewAgainWhenNoneWaits() {
        // given
        for (int i = 0; i < 3; i++) {
            threads.execute(this::waitForTheEnd);
        }
        await().until(() -> waiting.get() == FEW);
        lookAgain();
        await().until(() -> waiting.get() == 3);
        end.countDown();

        // when
        lookAgain();
        final CountDownLatch later = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            threads.execute(() -> later.countDown());
        }

        // then
        await().until(() -> later.getCount() == 0);
        assertThat(looks).hasSizeLessThanOrEqualTo(1);
    }
}
