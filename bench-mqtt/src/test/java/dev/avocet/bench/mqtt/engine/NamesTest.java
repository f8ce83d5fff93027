package dev.avocet.bench.mqtt.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.mqtt.engine.flow.FilterTree;
import dev.avocet.bench.mqtt.engine.flow.NamedSubscriptions;
import dev.avocet.bench.mqtt.engine.flow.PacketIdentifiers;
import dev.avocet.bench.mqtt.engine.flow.Payloads;
import dev.avocet.bench.mqtt.engine.plan.TopicNames;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NamesTest {
    @Test
    void shouldCutNamesInBlocks() {
        TopicNames names = new TopicNames("/p{p}/t.{n}", 7, 1, 3, false);

        assertThat(IntStream.range(0, 7).mapToObj(i -> names.of(i, 0)))
                .containsExactly(
                        "/p0/t.00000000",
                        "/p0/t.00000001",
                        "/p1/t.00000000",
                        "/p1/t.00000001",
                        "/p2/t.00000000",
                        "/p2/t.00000001",
                        "/p2/t.00000002");
    }

    @Test
    void shouldDealNamesRound() {
        TopicNames names = new TopicNames("/p{p}/t.{n}", 2, 3, 4, true);

        assertThat(IntStream.range(0, 6).mapToObj(k -> names.of(k % 2, k / 2)))
                .containsExactly(
                        "/p0/t.00000000",
                        "/p1/t.00000000",
                        "/p2/t.00000000",
                        "/p3/t.00000000",
                        "/p0/t.00000001",
                        "/p1/t.00000001");
    }

    @Test
    void shouldGiveEachClientSubjectsThatFollowEachOther() {
        TopicNames names = new TopicNames("s/{s}", 3, 4, 6, true);

        assertThat(new NamedSubscriptions(names, 0, 1).topicFilters()).containsExactly("s/0", "s/1", "s/2", "s/3");
        assertThat(new NamedSubscriptions(names, 1, 1).topicFilters()).containsExactly("s/4", "s/5", "s/0", "s/1");
    }

    @Test
    void shouldCountWhoGetsAMessage() {
        FilterTree filters = new FilterTree();
        filters.add("a/b");
        filters.add("a/b");
        filters.add("a/+");
        filters.add("a/b/#");
        filters.add("#");
        filters.add("b/#");
        filters.add("$share/g/a/#");
        filters.add("$share/g/a/#");
        filters.add("$share/h/a/#");

        assertThat(filters.matches("a/b")).isEqualTo(2 + 1 + 1 + 1 + 2);
        assertThat(filters.matches("a/c")).isEqualTo(1 + 1 + 2);
        assertThat(filters.matches("/a")).isEqualTo(1);
        assertThat(filters.matches("b")).isEqualTo(2);
    }

    @Test
    void shouldUseEachPacketIdentifierOnceAtATime() {
        PacketIdentifiers identifiers = new PacketIdentifiers();
        Set<Integer> taken = new HashSet<>();
        for (int i = 0; i < PacketIdentifiers.MAX; i++) {
            taken.add(identifiers.take(i));
        }

        assertThat(taken).hasSize(PacketIdentifiers.MAX).doesNotContain(0);
        assertThat(identifiers.release(7)).isPositive();
        assertThat(identifiers.release(7)).isZero();
        assertThat(identifiers.release(0)).isZero();
        assertThat(identifiers.take(1)).isEqualTo(7);
    }

    @Test
    void shouldDoubleSizesUpToTheLargest() {
        Payloads payloads = new Payloads(32, 200);

        assertThat(IntStream.range(0, payloads.count()).map(payloads::sizeBytes))
                .containsExactly(32, 64, 128, 200);
        assertThat(new Payloads(64, 64).count()).isEqualTo(1);
    }
}
