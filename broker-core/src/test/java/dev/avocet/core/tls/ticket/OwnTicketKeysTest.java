package dev.avocet.core.tls.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the keys of session tickets change. */
class OwnTicketKeysTest {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final ManualClock clock = new ManualClock();
    private final TicketKeys keys = new OwnTicketKeys(INTERVAL, clock);

    @Test
    void shouldKeepAKeyForAnInterval() {
        List<TicketKey> first = keys.current();

        clock.advance(INTERVAL.minusSeconds(1));

        assertThat(first).hasSize(1);
        assertThat(keys.current()).isSameAs(first);
    }

    @Test
    void shouldSealWithANewKeyAndStillOpenWithTheOneBefore() {
        TicketKey first = keys.current().get(0);

        clock.advance(INTERVAL);

        assertThat(keys.current()).hasSize(2).last().isEqualTo(first);
        assertThat(keys.current().get(0).encryption()).isNotEqualTo(first.encryption());
    }

    @Test
    void shouldOpenNothingTwoIntervalsLater() {
        TicketKey first = keys.current().get(0);

        clock.advance(INTERVAL);
        keys.current();
        clock.advance(INTERVAL);
        assertThat(keys.current()).doesNotContain(first);

        clock.advance(INTERVAL.multipliedBy(2));
        assertThat(keys.current()).as("no one has asked meanwhile").hasSize(1);
    }

    @Test
    void shouldShowNoKey() {
        assertThat(keys.current()).hasToString("[TicketKey[secret]]");
    }
}
