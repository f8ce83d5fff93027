package dev.avocet.core.queue.ranked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.Standing;
import dev.avocet.core.queue.ranked.QueueEntry.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EntryTableTest {
    private static final int STEPS = 40_000;

    private final EntryTable table = new EntryTable();
    private long unstored;
    private long stored;

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 30_000})
    void shouldFindWhatIsInFlightHoweverManyThereAre(int inFlight) {
        // given
        Random chance = new Random(inFlight);
        Map<Long, QueueEntry> expected = new HashMap<>();
        List<QueueEntry> there = new ArrayList<>();

        for (int step = 0; step < STEPS; step++) {
            // when
            if (there.size() < inFlight || chance.nextInt(100) == 0) {
                QueueEntry entry = chance.nextInt(10) == 0 ? entry(++stored) : entry(--unstored);
                table.put(entry);
                expected.put(entry.number, entry);
                there.add(entry);
            } else {
                QueueEntry gone = there.remove(chance.nextInt(Math.min(10, there.size())));
                table.remove(gone);
                expected.remove(gone.number);
            }

            // then
            assertThat(table.size()).isEqualTo(expected.size());
            long any =
                    chance.nextBoolean() ? -1 - chance.nextInt((int) -unstored + 1) : chance.nextInt((int) stored + 1);
            assertThat(table.get(any)).isSameAs(expected.get(any));
        }
        expected.forEach((number, entry) -> assertThat(table.get(number)).isSameAs(entry));
    }

    @Test
    void shouldKeepOneThatIsLeftWhileManyLaterOnesCome() {
        // given
        QueueEntry left = entry(--unstored);
        table.put(left);
        Deque<QueueEntry> others = new ArrayDeque<>();

        // when
        for (int i = 0; i < 100_000; i++) {
            others.add(entry(--unstored));
            table.put(others.getLast());
            if (others.size() > 10) {
                table.remove(others.remove());
            }
        }

        // then
        assertThat(table.size()).isEqualTo(11);
        assertThat(table.get(left.number)).isSameAs(left);
        others.forEach(entry -> assertThat(table.get(entry.number)).isSameAs(entry));
    }

    @Test
    void shouldShowWhatIsDelayedAfterADelivery() {
        // given
        QueueEntry entry = entry(--unstored);
        QueueEntry another = entry(--unstored);
        table.put(entry);
        table.put(another);

        // when
        entry.state = State.DELAYED;
        table.put(entry);

        // then
        List<QueueEntry> seen = new ArrayList<>();
        table.walk().forEach(Integer.MAX_VALUE, seen::add);
        assertThat(seen).containsExactly(entry);
        assertThat(table.size()).isEqualTo(2);
        assertThat(table.get(entry.number)).isSameAs(entry);
    }

    @Test
    void shouldTakeAnEntryThatIsOlderThanAllOthers() {
        // given: it waited while those came that are in flight
        QueueEntry old = entry(--unstored);
        QueueEntry young = entry(--unstored);
        table.put(young);

        // when
        table.put(old);

        // then
        assertThat(table.get(old.number)).isSameAs(old);
        assertThat(table.get(young.number)).isSameAs(young);
        table.remove(old);
        assertThat(table.get(old.number)).isNull();
        assertThat(table.size()).isEqualTo(1);
    }

    private static QueueEntry entry(long number) {
        QueueEntry entry = new QueueEntry(number, null, Message.NEVER, Standing.NEW);
        entry.state = State.IN_FLIGHT;
        return entry;
    }
}
