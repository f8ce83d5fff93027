package dev.avocet.core.queue.transit;

import static dev.avocet.core.queue.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.testkit.ManualLoops;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose turn it is among the consumers of a subscription. */
class ConsumersTest {
    private final ManualLoops loops = new ManualLoops(1);
    private final SubscriptionQueue queue = new SubscriptionQueue("queue", loops.io(0), QueueLimits.DEFAULT, 0);
    private final FakeConsumer first = FakeConsumer.settling(2);
    private final FakeConsumer second = FakeConsumer.settling(100);
    private final FakeConsumer third = FakeConsumer.settling(100);

    @BeforeEach
    void attachInOrder() {
        Stream.of(first, second, third).forEach(each -> loops.on(0, () -> queue.attach(each)));
    }

    @Test
    void shouldServeConsumersInTheOrderInWhichTheyCame() {
        put("1", "2", "3", "4");

        assertThat(List.of(first.texts(), second.texts(), third.texts()))
                .containsExactly(List.of("1", "4"), List.of("2"), List.of("3"));
    }

    @Test
    void shouldKeepTheOrderWhileOneIsBusyAndGiveItItsPlaceBack() {
        // given
        put("1", "2", "3", "4", "5", "6");

        // when
        put("for the second, as the first is busy", "for the third");
        loops.on(0, () -> first.makeRoom(1));
        put("7", "8", "9");

        // then
        assertThat(first.texts()).containsExactly("1", "4", "7");
        assertThat(second.texts()).containsExactly("2", "5", "for the second, as the first is busy", "8");
        assertThat(third.texts()).containsExactly("3", "6", "for the third", "9");
    }

    @Test
    void shouldGoOnWithTheNextOneWhenAnotherHasGone() {
        // given
        put("1", "2");

        // when
        loops.on(0, () -> queue.detach(first));
        put("3", "4");

        // then
        assertThat(third.texts()).containsExactly("3");
        assertThat(second.texts()).containsExactly("2", "4");
    }

    @Test
    void shouldKnowTheBusyOneWhenOthersComeAndGo() {
        // given
        loops.on(0, () -> queue.detach(third));
        put("1", "2", "3", "4", "for the second");

        // when
        loops.on(0, () -> queue.detach(second));
        put("waits");
        loops.on(0, () -> queue.attach(third));

        // then
        assertThat(third.texts()).containsExactly("waits");
        loops.on(0, () -> first.makeRoom(2));
        put("5", "6");
        assertThat(first.texts()).containsExactly("1", "3", "5");
        assertThat(third.texts()).containsExactly("waits", "6");
    }

    private void put(String... texts) {
        for (String text : texts) {
            assertThat(queue.reserve()).isEqualTo(Reservation.GRANTED);
            loops.on(0, () -> queue.put(message(text), null, loops.io(0)));
        }
    }
}
