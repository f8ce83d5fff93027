package dev.avocet.core.journal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DoorbellTest {
    private static final int ROUNDS = 200_000;

    /** Each waits for the other's number; a ring that is lost makes both wait for ever. */
    @Test
    void shouldLoseNoRing() throws InterruptedException {
        AtomicInteger ping = new AtomicInteger();
        AtomicInteger pong = new AtomicInteger();
        AtomicInteger round = new AtomicInteger();
        Doorbell atPong = new Doorbell(() -> ping.get() > pong.get());
        Doorbell atPing = new Doorbell(() -> pong.get() == round.get());
        Thread other = new Thread(() -> {
            while (pong.get() < ROUNDS) {
                if (ping.get() > pong.get()) {
                    pong.lazySet(pong.get() + 1);
                    atPing.ring();
                } else {
                    atPong.await();
                }
            }
        });
        other.start();

        for (int i = 1; i <= ROUNDS; i++) {
            round.set(i);
            ping.lazySet(i);
            atPong.ring();
            while (pong.get() < i) {
                atPing.await();
            }
        }
        other.join();

        assertThat(pong.get()).isEqualTo(ROUNDS);
    }

    @Test
    void shouldNotSleepWithAReason() {
        Doorbell bell = new Doorbell(new AtomicBoolean(true)::get);

        bell.await(); // or the test hangs
    }

    @Test
    void shouldSleepNoLongerThanItWasTold() {
        Doorbell bell = new Doorbell(() -> false);

        bell.await(1_000_000); // or the test hangs
    }
}
