package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.testkit.ManualLoops;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteFinderTest {
    private static final int TOPICS = 16;
    private static final int TARGETS_MAX = 50;

    private final ManualLoops loops = new ManualLoops(1);
    private final TopicTree<Subscription> tree = new TopicTree<>(new SubtreeGenerations());
    private final TopicMonitors monitors = new TopicMonitors(tree.generations(), 1);
    private final RouteFinder finder = new RouteFinder(tree, monitors, OverlapDelivery.ONCE, TOPICS, TARGETS_MAX);

    @Test
    void shouldShareTheRouteOfTopicsThatMatchTheSameFilters() {
        // given
        subscribe("fleet/#", "all");
        subscribe("fleet/+/state", "states");

        // when
        Route first = route("fleet/1/state");
        Route second = route("fleet/2/state");
        Route other = route("fleet/2/alarm");

        // then
        assertThat(second).isSameAs(first);
        assertThat(owners(first)).containsExactlyInAnyOrder("all", "states");
        assertThat(owners(other)).containsExactly("all");
        assertThat(first.isSameWayAs(second)).isTrue();
        assertThat(first.isSameWayAs(other)).isFalse();
    }

    @Test
    void shouldSeeThatTopicsWithOneSubscriptionGoTheSameWay() {
        // given
        subscribe("fleet/#", "all");
        subscribe("other", "one");

        // when
        Route first = route("fleet/1");
        Route second = route("fleet/2");

        // then
        assertThat(first.isSameWayAs(second)).isTrue();
        assertThat(first.isSameWayAs(route("other"))).isFalse();
        assertThat(first.isSameWayAs(route("nobody"))).isFalse();
    }

    @Test
    void shouldTellTopicsApartThatAreCountedForOthers() {
        // given
        subscribe("fleet/#", "all");
        monitors.watch(List.of("fleet/1/#"), 0);

        // when
        Route watched = route("fleet/1/state");

        // then
        assertThat(watched.isSameWayAs(route("fleet/2/state"))).isFalse();
        assertThat(watched.isSameWayAs(route("fleet/1/alarm"))).isTrue();
        assertThat(watched.monitors()).hasSize(1);
        assertThat(route("fleet/10").monitors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "fleet/#, fleet/1/state, fleet/2, true",
        "fleet/#, fleet/1/state, fleet/, true",
        "fleet/#, fleet/1/state, fleet, false",
        "fleet/#, fleet/1/state, fleets/1/state, false",
        "#, fleet/1, flow, true",
        "#, fleet/1, other, false",
        "fleet/1/#, fleet/1/state, fleet/1/alarm, true",
        "fleet/1/#, fleet/1/state, fleet/10/state, false",
        "fleet/1/#, fleet/2/state, fleet/2/alarm, true",
        "fleet/1/#, fleet/2/state, fleet/1/state, false",
        "fleet/+/#, fleet/1/state, fleet/1/alarm, true",
        "fleet/+/#, fleet/1/state, fleet/2/state, false",
        "fleet/+/state, fleet/1/state, fleet/2/state, false",
        "other, fleet/1, fleet/2, true",
    })
    void shouldLeadTopicsThatBeginAsFarAsAFilterReads(String filter, String first, String second, boolean leads) {
        // given
        subscribe(filter, "all");
        CachedRoute<Route> before = finder.pass(TopicName.of(first), null);

        // when
        CachedRoute<Route> route = finder.pass(TopicName.of(second), before);

        // then
        assertThat(before.leads(route.topic())).isEqualTo(leads);
        assertThat(route.topic().text()).isEqualTo(second);
        assertThat(owners(route.route())).isEqualTo(owners(route(second)));
    }

    @Test
    void shouldLeadNoTopicThatTheServerHasReserved() {
        // given
        subscribe("#", "all");
        CachedRoute<Route> before = finder.pass(TopicName.of("fleet"), null);
        CachedRoute<Route> reserved = finder.pass(TopicName.of("$SYS/up"), before);

        // then
        assertThat(owners(before.route())).containsExactly("all");
        assertThat(owners(reserved.route())).isEmpty();
        assertThat(owners(finder.pass(TopicName.of("fleet"), reserved).route())).containsExactly("all");
    }

    @Test
    void shouldLeadNoTopicAfterAChangeElsewhereOrWhileTopicsAreWatched() {
        // given
        subscribe("fleet/#", "all");
        CachedRoute<Route> before = finder.pass(TopicName.of("fleet/1"), null);

        // when
        subscribe("fleet/2", "one");

        // then
        assertThat(owners(finder.pass(TopicName.of("fleet/2"), before).route()))
                .containsExactlyInAnyOrder("all", "one");
        assertThat(before.isCurrent()).isFalse();

        // when
        monitors.watch(List.of("fleet/3/#"), 0);
        CachedRoute<Route> unwatched = finder.pass(TopicName.of("fleet/4"), before);

        // then
        assertThat(unwatched.route().monitors()).isEmpty();
        assertThat(finder.pass(TopicName.of("fleet/3/x"), unwatched).route().monitors())
                .hasSize(1);
    }

    @Test
    void shouldLeadByARouteThatIsKeptUntilAnySubscriptionComes() {
        // given
        subscribe("fleet/#", "all");
        CachedRoute<Route> kept = finder.compute(TopicName.of("fleet/1/state"), true);
        TopicName other = TopicName.of("fleet/2/state");

        // then
        assertThat(kept.leads(other)).isTrue();
        assertThat(kept.of(other).topic()).isSameAs(other);
        assertThat(owners(kept.of(other).route())).containsExactly("all");

        // when
        CachedRoute<Route> led = kept.of(other);
        subscribe("fleet/3/alarm", "one");

        // then
        assertThat(kept.isCurrent()).isTrue();
        assertThat(kept.leads(TopicName.of("fleet/3/alarm"))).isFalse();
        assertThat(led.isCurrent()).isFalse();

        // when
        subscribe("fleet/1/#", "first");
        byte[] name = kept.topic().utf8();
        CachedRoute<Route> refreshed = finder.find(name, 0, name.length);

        // then
        assertThat(kept.isCurrent()).isFalse();
        assertThat(refreshed).isNotNull();
        assertThat(refreshed.leads(TopicName.of("fleet/1/alarm"))).isTrue();
        assertThat(refreshed.leads(other)).isFalse();
    }

    @Test
    void shouldSayWhenItHoldsMoreThanAFewTopics() {
        // given
        RouteFinder large =
                new RouteFinder(tree, monitors, OverlapDelivery.ONCE, 2 * RouteFinder.FEW_TOPICS, Long.MAX_VALUE);

        // when
        for (int i = 0; i < RouteFinder.FEW_TOPICS; i++) {
            large.compute(TopicName.of("fleet/" + i), true);
        }

        // then
        assertThat(large.holdsFew()).isTrue();

        // when
        large.compute(TopicName.of("one more"), true);

        // then
        assertThat(large.holdsFew()).isFalse();
    }

    @Test
    void shouldHoldNoMoreWhenThereAreMoreTopics() {
        // given
        subscribe("fleet/#", "all");
        subscribe("fleet/+/state", "states");

        // when
        for (int i = 0; i < 10_000; i++) {
            route("fleet/" + i + "/state");
        }

        // then
        assertThat(finder.topicsHeld()).isEqualTo(TOPICS);
        assertThat(finder.sharedHeld()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheTopicsThatComeAgainBesideManyThatDoNot() {
        // given
        subscribe("#", "all");
        for (int i = 0; i < 1_000; i++) {
            route("once/" + i);
        }

        // when
        route("often");
        route("often");

        // then
        assertThat(isHeld("often")).isTrue();
    }

    @Test
    void shouldNotHoldWhatIsNotUsedAnyMore() {
        // given a route that leads to a session which ends
        Subscription first = subscribe("a/#", "first");
        Subscription second = subscribe("a/+", "second");
        route("a/b");
        tree.remove(first.filter(), first);
        tree.remove(second.filter(), second);

        // when
        for (int i = 0; i < 16; i++) {
            finder.sweep();
        }

        // then
        assertThat(finder.sharedHeld()).isZero();
        assertThat(finder.topicsHeld()).isZero();
    }

    @Test
    void shouldKeepWhatIsUsed() {
        // given
        subscribe("a/#", "first");
        subscribe("a/+", "second");
        Route route = route("a/b");

        // when
        for (int i = 0; i < 100; i++) {
            route("a/" + i);
            finder.sweep();
        }

        // then
        assertThat(route("a/b")).isSameAs(route);
    }

    @Test
    void shouldForgetEverythingWhenMemoryIsShort() {
        // given
        subscribe("a/#", "first");
        subscribe("a/+", "second");
        route("a/b");

        // when
        finder.clear();

        // then
        assertThat(finder.sharedHeld()).isZero();
        assertThat(finder.topicsHeld()).isZero();
    }

    @Test
    void shouldBoundTheTargetsOfSharedRoutes() {
        // given parts with 20 subscribers each, and one with too many
        for (int part = 0; part < 10; part++) {
            for (int i = 0; i < 20; i++) {
                subscribe("part" + part + "/#", part + "-" + i);
            }
        }
        for (int i = 0; i <= TARGETS_MAX; i++) {
            subscribe("heavy/#", "heavy" + i);
        }

        // when
        for (int part = 0; part < 10; part++) {
            route("part" + part + "/x");
            assertThat(finder.sharedHeld()).isLessThanOrEqualTo(2);
        }

        // then
        assertThat(route("heavy/x").targets()).hasSize(TARGETS_MAX + 1);
        assertThat(route("heavy/x")).isNotSameAs(route("heavy/y"));
        assertThat(finder.sharedHeld()).isLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "a/b, a/b",
        "a/+, a/ä€😀",
        "ä€😀/#, ä€😀/b",
        "+/ä€😀, a/ä€😀",
        "a//b, a//b",
        "/#, /a",
        "+/+, /",
        "a/#, a",
        "$a/#, $a/b",
        "a/$b, a/$b",
    })
    void shouldFindTheSubscription(String filter, String topic) {
        subscribe(filter, "owner");

        assertThat(owners(route(topic))).containsExactly("owner");
    }

    @ParameterizedTest
    @CsvSource({"a/b, a/bc", "a/bc, a/b", "a/b, a/b/", "a/b/, a/b", "#, $a", "+/b, $a/b", "ä/a, a/ä", "a/+, a", "/a, a"
    })
    void shouldNotFindTheSubscription(String filter, String topic) {
        subscribe(filter, "owner");

        assertThat(route(topic).targets()).isEmpty();
    }

    private Subscription subscribe(String text, String owner) {
        TopicFilter filter = TopicFilter.of(text);
        DeliveryOptions options =
                new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
        SubscriptionQueue queue = new SubscriptionQueue(owner, loops.io(0), QueueLimits.DEFAULT, 0);
        Subscription made = Subscription.exclusive(filter, queue, options, false, owner);
        tree.add(filter, made);
        return made;
    }

    private Route route(String text) {
        TopicName topic = TopicName.of(text);
        CachedRoute<Route> known = finder.find(topic.utf8(), 0, topic.utf8().length);
        return (known == null ? finder.compute(topic, true) : known).route();
    }

    private boolean isHeld(String text) {
        TopicName topic = TopicName.of(text);
        return finder.find(topic.utf8(), 0, topic.utf8().length) != null;
    }

    private static List<Object> owners(Route route) {
        return Arrays.stream(route.targets()).map(RouteTarget::owner).toList();
    }
}
