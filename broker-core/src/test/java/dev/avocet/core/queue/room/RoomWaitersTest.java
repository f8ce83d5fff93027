package dev.avocet.core.queue.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class RoomWaitersTest {
    private final RoomWaiters waiters = new RoomWaiters(new QueueRoom(QueueLimits.DEFAULT));

    @Test
    void shouldKeepThePlacesOfThoseThatComeBack() {
        // given
        List<RoomWaiter> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            all.add(new RoomWaiter(() -> {}));
            waiters.add(all.get(i));
        }
        assertThat(waiters.take(4, 1).waiters()).containsExactlyElementsOf(all.subList(0, 4));

        // when
        waiters.add(all.get(2));
        waiters.add(all.get(0));
        waiters.stop(all.get(1));
        waiters.add(all.get(1));
        waiters.add(all.get(3));

        // then
        assertThat(waiters.takeAll().waiters())
                .containsExactly(all.get(0), all.get(2), all.get(3), all.get(4), all.get(5), all.get(1));
        assertThat(waiters.isAnyWaiting()).isFalse();
    }

    @Test
    void shouldCallNoMoreThanThereIsRoomForBesideThoseThatWereCalled() {
        // given
        List<RoomWaiter> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(new RoomWaiter(() -> {}));
            waiters.add(all.get(i));
        }
        assertThat(waiters.take(4, 5).waiters()).as("below the low-water mark").isEmpty();
        assertThat(waiters.take(4, 1).waiters()).hasSize(4);

        // when
        waiters.stop(all.get(0));

        // then
        assertThat(waiters.take(5, 1).waiters()).containsExactly(all.get(4), all.get(5));
        assertThat(waiters.take(5, 1).waiters()).isEmpty();
    }

    /** Held against a map by places. */
    @Test
    void shouldCallInTheOrderOfThePlacesWhateverHappens() {
        for (int seed = 0; seed < 200; seed++) {
            Random chance = new Random(seed);
            RoomWaiters line = new RoomWaiters(new QueueRoom(QueueLimits.DEFAULT));
            List<RoomWaiter> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                all.add(new RoomWaiter(() -> {}));
            }
            Map<RoomWaiter, Integer> places = new HashMap<>();
            TreeMap<Integer, RoomWaiter> waiting = new TreeMap<>();
            Set<RoomWaiter> called = new HashSet<>();
            for (int step = 1; step <= 500; step++) {
                RoomWaiter one = all.get(chance.nextInt(all.size()));
                switch (chance.nextInt(4)) {
                    case 0, 1 -> {
                        line.add(one);
                        places.putIfAbsent(one, step);
                        waiting.put(places.get(one), one);
                        called.remove(one);
                    }
                    case 2 -> {
                        line.stop(one);
                        Integer place = places.remove(one);
                        if (place != null) {
                            waiting.remove(place);
                        }
                        called.remove(one);
                    }
                    default -> {
                        int room = chance.nextInt(8);
                        List<RoomWaiter> expected = waiting.values().stream()
                                .limit(Math.max(0, room - called.size()))
                                .toList();
                        assertThat(line.take(room, 1).waiters())
                                .as("seed %d", seed)
                                .isEqualTo(expected);
                        waiting.values().removeAll(expected);
                        called.addAll(expected);
                    }
                }
                assertThat(line.isAnyWaiting()).as("seed %d", seed).isEqualTo(!waiting.isEmpty());
            }
        }
    }
}
