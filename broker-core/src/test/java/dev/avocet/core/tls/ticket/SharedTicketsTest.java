package dev.avocet.core.tls.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How the nodes of a pair go on with each other's keys of session tickets. */
class SharedTicketsTest {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final ManualClock clock = new ManualClock();
    private final SharedTickets active = new SharedTickets();
    private final SharedTickets standby = new SharedTickets();

    @Test
    void shouldGoOnWithTheKeysOfTheOtherNodeAsLongAsTheyCount() {
        // given
        TicketKey sealing = active.open("e", INTERVAL, clock).current().get(0);
        clock.advance(INTERVAL.minusSeconds(1));
        standby.received(active.given());

        // when
        TicketKeys taken = standby.open("e", INTERVAL, clock);

        // then
        assertThat(taken.current()).containsExactly(sealing);
        clock.advance(Duration.ofSeconds(1));
        assertThat(taken.current())
                .as("the age counts from when it was made")
                .hasSize(2)
                .last()
                .isEqualTo(sealing);
        clock.advance(INTERVAL);
        assertThat(taken.current()).doesNotContain(sealing);
    }

    @Test
    void shouldDropKeysThatNoNodeWouldTakeAnyMore() {
        TicketKey sealing = active.open("e", INTERVAL, clock).current().get(0);
        standby.received(active.given());

        clock.advance(INTERVAL.multipliedBy(2));

        assertThat(standby.open("e", INTERVAL, clock).current()).hasSize(1).doesNotContain(sealing);
    }

    @Test
    void shouldGiveEachEndpointKeysOfItsOwn() {
        TicketKey one = active.open("one", INTERVAL, clock).current().get(0);
        TicketKey other = active.open("other", INTERVAL, clock).current().get(0);
        standby.received(active.given());

        assertThat(one).isNotEqualTo(other);
        assertThat(standby.open("other", INTERVAL, clock).current()).containsExactly(other);
        assertThat(standby.open("third", INTERVAL, clock).current()).doesNotContain(one, other);
    }

    @Test
    void shouldMakeNewKeysForAnEndpointThatOpensAnew() {
        TicketKeys first = active.open("e", INTERVAL, clock);
        TicketKey sealing = first.current().get(0);

        // as its profile has changed, the next one opens before the first one is closed
        TicketKeys second = active.open("e", INTERVAL, clock);
        active.closed("e", first);

        assertThat(second.current()).doesNotContain(sealing);
        assertThat(active.given()).containsOnlyKeys("e");
        active.closed("e", second);
        assertThat(active.given()).isEmpty();
    }

    @Test
    void shouldTellWhenThereAreOthersToGive() {
        // given
        AtomicInteger told = new AtomicInteger();
        active.onChange(told::incrementAndGet);

        // then
        TicketKeys keys = active.open("e", INTERVAL, clock);
        assertThat(told).hasValue(1);
        keys.current();
        assertThat(told).hasValue(1);
        Map<String, AgedKeys> before = active.given();
        assertThat(active.given()).as("nothing has changed").isEqualTo(before);
        clock.advance(INTERVAL);
        keys.current();
        assertThat(told).hasValue(2);
        assertThat(active.given()).isNotEqualTo(before);
    }

    @Test
    void shouldTakeKeysOfANodeWhoseClockIsAheadAsNew() {
        TicketKey sealing = active.open("e", INTERVAL, clock).current().get(0);
        standby.received(Map.of("e", new AgedKeys(clock.wallTimeMs() + INTERVAL.toMillis() * 100, List.of(sealing))));

        TicketKeys taken = standby.open("e", INTERVAL, clock);
        assertThat(taken.current()).containsExactly(sealing);
        clock.advance(INTERVAL.multipliedBy(2));
        assertThat(taken.current()).doesNotContain(sealing);
    }

    @Test
    void shouldShowNoKey() {
        active.open("e", INTERVAL, clock);

        assertThat(active.given().toString()).contains("TicketKey[secret]").doesNotContain("[B@");
    }
}
