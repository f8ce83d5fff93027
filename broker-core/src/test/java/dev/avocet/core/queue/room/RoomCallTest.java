package dev.avocet.core.queue.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Publishers that a queue calls on their loops, many in one task. */
final class RoomCallTest {
    private final ManualLoops loops = new ManualLoops(2);
    private final List<Integer> called = new ArrayList<>();
    private QueueRoom room = full(1_000);
    private int served;

    @Test
    void shouldCallAllOfALoopInOneTaskInTheirOrder() {
        // given
        for (int i = 0; i < 100; i++) {
            await(new Taker(i, i % 2));
        }

        // when
        room.release(60);

        // then
        loops.get(1).runOne();
        assertThat(loops.get(1).isIdle()).isTrue();
        assertThat(called).hasSize(30).isSorted().allMatch(number -> number % 2 == 1);
        loops.get(0).runOne();
        assertThat(loops.isIdle()).isTrue();
        assertThat(called).containsExactlyInAnyOrderElementsOf(numbers(60));
        assertThat(room.depth()).isEqualTo(1_000);
    }

    @Test
    void shouldLeaveTheLoopToOthersBetweenManyThatAreCalled() {
        // given
        for (int i = 0; i < 600; i++) {
            await(new Taker(i, 0));
        }
        room.release(600);

        // when
        loops.get(0).runOne();

        // then
        assertThat(called.size()).isBetween(1, 500);
        loops.settle();
        assertThat(called).containsExactlyElementsOf(numbers(600));
    }

    @Test
    void shouldCallOthersForTheRoomThatTheCalledOnesLeave() {
        // given
        room = full(10);
        Taker first = new Taker(0, 0);
        await(first);
        for (int i = 1; i < 4; i++) {
            await(new Taker(i, 0));
        }
        first.wants = 0;
        room.release(2);
        assertThat(called).isEmpty();

        // when
        loops.settle();

        // then
        assertThat(called).as("0 takes nothing, so 2 has its turn after 1").containsExactly(0, 1, 2);
    }

    @Test
    void shouldKeepThePlaceOfWhoFindsNoRoomAndSendWhoGotSomeBehindTheOthers() {
        // given
        room = full(10);
        Taker first = new Taker(0, 0);
        Taker second = new Taker(1, 0);
        second.wants = 2;
        await(first);
        await(second);
        await(new Taker(2, 0));
        room.release(2);
        assertThat(room.reserve(true)).as("another one is faster").isEqualTo(Reservation.GRANTED);
        loops.settle();
        assertThat(called).containsExactly(0, 1);

        // when
        room.release(1);
        loops.settle();
        room.release(1);
        loops.settle();
        room.release(1);
        loops.settle();

        // then
        assertThat(called).as("1 was first, and last for its second message").containsExactly(0, 1, 1, 2, 1);
    }

    @Test
    void shouldNotRunAnActionForACallThatIsOver() {
        // given
        room = full(10);
        Taker first = new Taker(0, 0);
        await(first);
        await(new Taker(1, 0));
        room.release(1);

        // when: it stops after it was called, and waits anew
        loops.on(0, () -> room.stopAwaiting(first.waiter));
        await(first);
        loops.settle();

        // then
        assertThat(called).containsExactly(1);
        room.release(1);
        loops.settle();
        assertThat(called).containsExactly(1, 0);
    }

    @Test
    void shouldCallTheOthersWhenOneFails() {
        // given
        room = full(10);
        RoomWaiter failing = new RoomWaiter(loops.io(0), () -> {
            throw new IllegalStateException("fails");
        });
        loops.on(0, () -> room.await(failing));
        await(new Taker(1, 0));
        await(new Taker(2, 0));
        room.release(2);

        // when
        assertThatThrownBy(() -> loops.get(0).runOne()).hasMessage("fails");
        loops.settle();

        // then
        assertThat(called).containsExactly(1, 2);
    }

    /** Whatever order the loops run in, all get room in the end, and never more than there is. */
    @Test
    void shouldServeAllInAnyOrderOfTheLoops() {
        for (int seed = 0; seed < 200; seed++) {
            served = 0;
            room = full(20);
            Random chance = new Random(seed);
            int wanted = 0;
            for (int i = 0; i < 50; i++) {
                Taker taker = new Taker(i, chance.nextInt(2));
                taker.wants = 1 + chance.nextInt(3);
                wanted += taker.wants;
                await(taker);
            }
            while (served < wanted || !loops.isIdle()) {
                if (chance.nextInt(4) == 0 && room.depth() > 0) {
                    room.release(1);
                }
                loops.step(chance);
                assertThat(room.depth()).as("seed %d", seed).isLessThanOrEqualTo(20);
            }
        }
    }

    private static List<Integer> numbers(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    private static QueueRoom full(int most) {
        QueueRoom made = new QueueRoom(new QueueLimits(most, 0, FullBehavior.BACKPRESSURE));
        for (int i = 0; i < most; i++) {
            assertThat(made.reserve(true)).isEqualTo(Reservation.GRANTED);
        }
        return made;
    }

    private void await(Taker taker) {
        loops.on(taker.loop, () -> room.await(taker.waiter));
    }

    /** Takes room for one message when it is called, and waits again while it wants more. */
    private final class Taker {
        private final int number;
        private final int loop;
        private final RoomWaiter waiter;
        private int wants = 1;

        Taker(int number, int loop) {
            this.number = number;
            this.loop = loop;
            this.waiter = new RoomWaiter(loops.io(loop), this::onTurn);
        }

        private void onTurn() {
            called.add(number);
            if (wants > 0 && room.reserve(true) != Reservation.GRANTED) {
                room.await(waiter);
                return;
            }
            served++;
            room.stopAwaiting(waiter);
            if (--wants > 0) {
                room.await(waiter);
            }
        }
    }
}
