package dev.avocet.core.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RouteCacheTest {
    private final SubtreeGenerations generations = new SubtreeGenerations();
    private final RouteCache<String> cache = cacheOf(64);

    @Test
    void shouldFindByBytesInTheMiddleOfABuffer() {
        // given
        CachedRoute<String> computed = cache.compute(TopicName.of("grün/ä"), TopicName::text);
        byte[] packet = "xxgrün/äyy".getBytes(UTF_8);

        // when
        CachedRoute<String> found = cache.find(packet, 2, packet.length - 4);

        // then
        assertThat(found).isSameAs(computed);
        assertThat(computed.route()).isEqualTo("grün/ä");
        assertThat(cache.find(packet, 2, packet.length - 5)).isNull();
        assertThat(cache.find(packet, 1, packet.length - 4)).isNull();
    }

    @Test
    void shouldTellNamesOfAnyLengthApart() {
        // given names that differ in their last character only
        for (int length = 1; length <= 30; length++) {
            cache.compute(TopicName.of("a".repeat(length)), TopicName::text);
        }

        for (int length = 1; length <= 30; length++) {
            // when
            CachedRoute<String> found = find(cache, "a".repeat(length));

            // then
            assertThat(found).isNotNull();
            assertThat(found.route()).hasSize(length);
            assertThat(find(cache, "a".repeat(length - 1) + "b")).isNull();
        }
    }

    @Test
    void shouldNotFindStaleRoutes() {
        // given
        CachedRoute<String> stale = cache.compute(TopicName.of("a/b"), topic -> "old");
        cache.compute(TopicName.of("c/d"), topic -> "other");

        // when
        generations.bump(TopicFilter.of("a/+"));

        // then
        assertThat(stale.isCurrent()).isFalse();
        assertThat(find(cache, "a/b")).isNull();
        assertThat(find(cache, "c/d")).isNotNull();
    }

    @Test
    void shouldForgetEverythingAndFillAgain() {
        // given
        RouteCache<String> weighed = new RouteCache<>(generations, 64, 1_000, String::length);
        for (int i = 0; i < 50; i++) {
            weighed.compute(TopicName.of("a/" + i), TopicName::text);
        }

        // when
        weighed.clear();

        // then
        assertThat(weighed.size()).isZero();
        assertThat(weighed.weight()).isZero();
        for (int i = 0; i < 50; i++) {
            assertThat(find(weighed, "a/" + i)).isNull();
        }
        for (int i = 0; i < 50; i++) {
            weighed.compute(TopicName.of("a/" + i), TopicName::text);
        }
        assertThat(weighed.size()).isEqualTo(50);
        assertThat(find(weighed, "a/49")).isNotNull();
    }

    @Test
    void shouldRefreshStaleRoutesUnderTheKnownName() {
        // given
        CachedRoute<String> stale = cache.compute(TopicName.of("a/b"), topic -> "old");
        generations.bump(TopicFilter.of("#"));
        byte[] name = "a/b".getBytes(UTF_8);

        // when
        CachedRoute<String> fresh = cache.findOrRefresh(name, 0, name.length, topic -> computed(topic, "new"));

        // then
        assertThat(fresh).isNotNull();
        assertThat(fresh.route()).isEqualTo("new");
        assertThat(fresh.topic()).isSameAs(stale.topic());
        assertThat(cache.findOrRefresh(name, 0, name.length, topic -> computed(topic, "newer")))
                .isSameAs(fresh);
        assertThat(cache.findOrRefresh(name, 0, 1, topic -> computed(topic, "unknown")))
                .isNull();
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void shouldHoldAsManyAsItIsMadeFor() {
        // given
        RouteCache<String> large = cacheOf(10_000);

        // when
        for (int i = 0; i < 10_000; i++) {
            large.compute(TopicName.of("device/" + i), TopicName::text);
        }

        // then
        int found = 0;
        for (int i = 0; i < 10_000; i++) {
            found += find(large, "device/" + i) == null ? 0 : 1;
        }
        assertThat(found).isEqualTo(10_000);
    }

    @Test
    void shouldPreferRoutesInUseToOthers() {
        // given
        CachedRoute<String> busy = cache.compute(TopicName.of("busy"), TopicName::text);

        for (int i = 0; i < 10_000; i++) {
            // when
            cache.compute(TopicName.of("once/" + i), TopicName::text);

            // then
            assertThat(find(cache, "busy")).isSameAs(busy);
            assertThat(cache.size()).isLessThanOrEqualTo(64);
        }
    }

    @Test
    void shouldDropStaleRoutesFirst() {
        // given a full cache of which half is stale and all was used
        for (int i = 0; i < 64; i++) {
            String topic = (i % 2 == 0 ? "live/" : "dead/") + i;
            cache.compute(TopicName.of(topic), TopicName::text);
            find(cache, topic);
        }
        generations.bump(TopicFilter.of("dead/#"));

        // when
        cache.dropStale(4 * 64);

        // then
        assertThat(cache.size()).isEqualTo(32);
        for (int i = 0; i < 64; i += 2) {
            assertThat(find(cache, "live/" + i)).isNotNull();
        }
    }

    @Test
    void shouldKeepWhatIsOfferedWhileThereIsRoomAndThenWhatIsOfferedAgain() {
        // given a full cache
        for (int i = 0; i < 64; i++) {
            cache.offer(routeOf("first/" + i));
            assertThat(find(cache, "first/" + i)).isNotNull();
        }

        // when a stream of others comes by once
        for (int i = 0; i < 1_000; i++) {
            cache.offer(routeOf("once/" + i));
        }

        // then hardly one was taken for another that came before
        assertThat(IntStream.range(0, 64).filter(i -> find(cache, "first/" + i) != null))
                .hasSizeGreaterThan(60);
        cache.offer(routeOf("again"));
        cache.offer(routeOf("again"));
        assertThat(find(cache, "again")).isNotNull();
    }

    private CachedRoute<String> computed(TopicName topic, String route) {
        return CachedRoute.compute(generations, topic, same -> route);
    }

    private CachedRoute<String> routeOf(String topic) {
        return CachedRoute.compute(generations, TopicName.of(topic), TopicName::text);
    }

    @Test
    void shouldBoundTheWeight() {
        // given
        RouteCache<Integer> weighed = new RouteCache<>(generations, 64, 100, weight -> weight);

        // when
        for (int i = 0; i < 1_000; i++) {
            weighed.compute(TopicName.of("t/" + i), topic -> 9);
            assertThat(weighed.weight()).isEqualTo(9L * weighed.size()).isLessThanOrEqualTo(100);
        }
        weighed.compute(TopicName.of("heavy"), topic -> 90);
        int heavyFound = find(weighed, "heavy") == null ? 0 : 1;
        CachedRoute<Integer> tooHeavy = weighed.compute(TopicName.of("too heavy"), topic -> 101);

        // then
        assertThat(heavyFound).isEqualTo(1);
        assertThat(tooHeavy.route()).isEqualTo(101);
        assertThat(find(weighed, "too heavy")).isNull();
        assertThat(weighed.weight()).isLessThanOrEqualTo(100);
    }

    @Test
    void shouldNeverAnswerForAnotherTopic() {
        // given a small cache, so that slots collide and routes come and go
        SplittableRandom random = new SplittableRandom(31);
        for (int capacity : new int[] {1, 2, 3, 7, 40}) {
            RouteCache<String> small = cacheOf(capacity);
            Map<String, String> latest = new HashMap<>();
            for (int i = 0; i < 20_000; i++) {
                String topic = "t/" + random.nextInt(3 * capacity);
                String route = topic + "=" + i;
                switch (random.nextInt(8)) {
                    case 0 -> generations.bump(TopicFilter.of(topic));
                    case 1 -> small.dropStale(random.nextInt(8));
                    case 2, 3, 4 -> {
                        small.compute(TopicName.of(topic), name -> route);
                        latest.put(topic, route);
                    }
                    default -> {
                        // when
                        CachedRoute<String> found = find(small, topic);

                        // then
                        if (found != null) {
                            assertThat(found.route()).isEqualTo(latest.get(topic));
                        }
                    }
                }
                assertThat(small.size()).isBetween(0, capacity);
            }
        }
    }

    @Test
    void shouldRefuseNonsense() {
        assertThatThrownBy(() -> cacheOf(0)).isInstanceOf(IllegalArgumentException.class);
    }

    private RouteCache<String> cacheOf(int capacity) {
        return new RouteCache<>(generations, capacity, Long.MAX_VALUE, route -> 0);
    }

    private static <R> @Nullable CachedRoute<R> find(RouteCache<R> cache, String topic) {
        byte[] utf8 = topic.getBytes(UTF_8);
        return cache.find(utf8, 0, utf8.length);
    }
}
