package dev.avocet.server.monitor.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TopTest {
    @Test
    void shouldKeepTheFirstOfWhatSeveralHaveFound() {
        // given
        Top<Integer> left = filled(3, 5, 1, 4, 2);
        Top<Integer> right = filled(3, 9, 0, 8);

        // when
        Top<Integer> all = new Top<>(3, Integer::compare);
        all.addAll(left);
        all.addAll(right);

        // then
        assertThat(all.inOrder()).containsExactly(0, 1, 2);
        assertThat(all.found()).isEqualTo(7);
    }

    @Test
    void shouldKeepAnyWhereTheOrderDoesNotMatter() {
        // given
        Top<Integer> top = new Top<>(2, null);

        // when
        List.of(1, 2, 3).forEach(top::add);

        // then
        assertThat(top.inOrder()).containsExactly(1, 2);
        assertThat(top.found()).isEqualTo(3);
    }

    private static Top<Integer> filled(int limit, int... values) {
        Top<Integer> top = new Top<>(limit, Integer::compare);
        for (int value : values) {
            top.add(value);
        }
        return top;
    }
}
