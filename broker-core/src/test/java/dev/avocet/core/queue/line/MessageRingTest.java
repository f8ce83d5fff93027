package dev.avocet.core.queue.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MessageRingTest {
    @Test
    void shouldBehaveLikeADeque() {
        for (int seed = 0; seed < 200; seed++) {
            Random chance = new Random(seed);
            MessageRing ring = new MessageRing();
            Deque<Object> model = new ArrayDeque<>();
            int bias = 30 + chance.nextInt(50);
            for (int step = 0; step < 3000; step++) {
                int dice = chance.nextInt(100);
                Object entry = step;
                if (dice < bias / 2) {
                    ring.addLast(entry);
                    model.addLast(entry);
                } else if (dice < bias) {
                    ring.addFirst(entry);
                    model.addFirst(entry);
                } else if (dice == 99) {
                    ring.clear();
                    model.clear();
                } else {
                    assertThat(ring.peek()).isEqualTo(model.peek());
                    assertThat(ring.poll()).isEqualTo(model.poll());
                }
                assertThat(ring.size()).as("seed %d step %d", seed, step).isEqualTo(model.size());
                assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
            }
            int position = 0;
            for (Object entry : model) {
                assertThat(ring.get(position++)).isEqualTo(entry);
            }
        }
    }

    @Test
    void shouldKeepTheOrderWhenALargeArrayIsLetGoInBetween() {
        MessageRing ring = new MessageRing();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 5000; i++) {
                ring.addLast(i);
            }
            for (int i = 0; i < 5000; i++) {
                assertThat(ring.poll()).isEqualTo(i);
            }
            assertThat(ring.poll()).isNull();
        }
    }
}
