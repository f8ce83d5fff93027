package dev.avocet.jms.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SendWindowTest {
    private static final int LARGE = 40 * 1024;

    private final SendWindow window = new SendWindow(8);

    private List<Integer> enter(final int times, final int bytes) throws JMSException {
        final List<Integer> costs = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            costs.add(window.enter(bytes));
        }
        return costs;
    }

    private Thread start(final CompletableFuture<Boolean> done, final boolean forAll) {
        final Thread thread = new Thread(() -> {
            try {
                if (forAll) {
                    window.awaitEmpty();
                } else {
                    window.leave(window.enter(1));
                }
                done.complete(true);
            } catch (final JMSException e) {
                done.completeExceptionally(e);
            }
        });
        thread.start();
        return thread;
    }

    private static void awaitWaiting(final Thread thread) {
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void shouldLetSoManyIn() throws JMSException {
        assertThat(enter(8, 100)).containsOnly(1);
        assertThat(window.awaitEmpty(1)).isFalse();
    }

    @Test
    void shouldBeInAHurryWithTheFirstSendsAndWithOneInAQuarterOfTheWindow() {
        // given
        final SendWindow large = new SendWindow(40);
        final List<Boolean> unhurried = new ArrayList<>();

        // when
        for (int i = 0; i < 32 + 20; i++) {
            unhurried.add(large.isUnhurried(1));
        }

        // then
        assertThat(unhurried.subList(0, 32)).containsOnly(false);
        assertThat(unhurried.subList(32, 41)).containsOnly(true);
        assertThat(unhurried.get(41)).isFalse();
        assertThat(unhurried.subList(42, 51)).containsOnly(true);
        assertThat(unhurried.get(51)).isFalse();
        assertThat(large.isUnhurried(9)).isTrue();
        assertThat(large.isUnhurried(3)).isFalse();
    }

    @Test
    void shouldStayInAHurryOnceTheSessionHasWaitedForItsSends() throws JMSException {
        // given
        final SendWindow large = new SendWindow(400);
        for (int i = 0; i < 40; i++) {
            large.isUnhurried(large.enter(1));
        }
        assertThat(large.isUnhurried(1)).isTrue();

        // when
        assertThat(large.awaitEmpty(1)).isFalse();

        // then
        assertThat(large.isUnhurried(1)).isFalse();
        assertThat(large.isUnhurried(1)).isFalse();
    }

    @Test
    void shouldCountLargeOnesForSeveralAndNeverForMoreThanThereIs() throws JMSException {
        assertThat(window.enter(LARGE)).isEqualTo(3);
        window.leave(3);
        assertThat(window.enter(1024 * LARGE)).isEqualTo(8);
    }

    @Test
    void shouldLetTheNextInWhenAQuarterIsFree() throws Exception {
        // given
        enter(8, 1);
        final CompletableFuture<Boolean> entered = new CompletableFuture<>();
        final Thread waiting = start(entered, false);
        awaitWaiting(waiting);

        // when
        window.leave(1);
        awaitWaiting(waiting);
        final boolean afterOne = entered.isDone();
        window.leave(1);

        // then
        assertThat(entered.join()).isTrue();
        assertThat(afterOne).isFalse();
    }

    @Test
    void shouldWaitUntilAllHaveLeft() throws Exception {
        // given
        enter(3, 1);
        final CompletableFuture<Boolean> empty = new CompletableFuture<>();
        final Thread waiting = start(empty, true);
        awaitWaiting(waiting);

        // when
        window.leave(2);
        awaitWaiting(waiting);
        final boolean afterTwo = empty.isDone();
        window.leave(1);

        // then
        assertThat(empty.join()).isTrue();
        assertThat(afterTwo).isFalse();
        assertThat(window.awaitEmpty(1)).isTrue();
    }

    @Test
    void shouldWakeBothWhoWaitForRoomAndWhoWaitForTheEnd() throws Exception {
        // given
        enter(8, 1);
        final CompletableFuture<Boolean> entered = new CompletableFuture<>();
        final CompletableFuture<Boolean> empty = new CompletableFuture<>();
        awaitWaiting(start(empty, true));
        awaitWaiting(start(entered, false));

        // when
        for (int i = 0; i < 8; i++) {
            window.leave(1);
        }

        // then
        assertThat(entered.join()).isTrue();
        assertThat(empty.join()).isTrue();
    }

    @Test
    void shouldEndWithAnInterrupt() throws Exception {
        // given
        enter(1, 1);
        final CompletableFuture<Boolean> empty = new CompletableFuture<>();
        final Thread waiting = start(empty, true);
        awaitWaiting(waiting);

        // when
        waiting.interrupt();

        // then
        assertThatThrownBy(empty::join).hasCauseInstanceOf(JMSException.class);
    }
}
