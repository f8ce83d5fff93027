package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.RandomSuite;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Routes that are held by their topics, shared by what they match, or made anew, beside those that follow from a search
 * through all subscriptions. Subscriptions of all kinds come and go meanwhile.
 */
class RouteFinderRandomTest {
    private static final int PLAYS = 200;
    private static final int STEPS = 1_500;
    private static final int OWNERS = 6;
    private static final int PRESENT_MAX = 40;
    /** Publishers that have a route of another topic. */
    private static final int PASSING_MAX = 4;

    private final ManualLoops loops = new ManualLoops(1);

    static LongStream seeds() {
        return LongStream.of(RandomSuite.seeds(PLAYS));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindTheRouteThatFollowsFromAllSubscriptions(long seed) throws InvalidSelectorException {
        // given
        SplittableRandom random = new SplittableRandom(seed);
        RandomTopics topics = new RandomTopics(random.split());
        OverlapDelivery overlap = random.nextBoolean() ? OverlapDelivery.ONCE : OverlapDelivery.EACH;
        TopicTree<Subscription> tree = new TopicTree<>(new SubtreeGenerations());
        TopicMonitors monitors = new TopicMonitors(tree.generations(), 1);
        RouteFinder finder =
                new RouteFinder(tree, monitors, overlap, 1 << random.nextInt(8), 1 << random.nextInt(3, 10));
        SubscriptionQueue[] queues = IntStream.range(0, OWNERS)
                .mapToObj(i -> new SubscriptionQueue("owner" + i, loops.io(0), QueueLimits.DEFAULT, 0))
                .toArray(SubscriptionQueue[]::new);
        List<Subscription> present = new ArrayList<>();
        List<String> watched = new ArrayList<>();
        List<CachedRoute<Route>> passing = new ArrayList<>();
        passing.add(finder.pass(topics.name(), null));

        for (int i = 0; i < STEPS; i++) {
            // when
            int dice = random.nextInt(100);
            if (dice < 6 && present.size() < PRESENT_MAX) {
                Subscription made = subscription(topics.filter(), queues, random, i);
                present.add(made);
                tree.add(made.filter(), made);
            } else if (dice < 10 && !present.isEmpty()) {
                Subscription gone = present.remove(random.nextInt(present.size()));
                tree.remove(gone.filter(), gone);
            } else if (dice < 13 && !present.isEmpty()) {
                int at = random.nextInt(present.size());
                Subscription next = subscription(present.get(at).filter(), queues, random, i);
                tree.replace(next.filter(), present.set(at, next), next);
            } else if (dice < 15) {
                finder.sweep();
            } else if (dice < 16) {
                watched.clear();
                watched.addAll(List.of("a/#", "a/b/#", "#").subList(0, random.nextInt(4)));
                monitors.watch(watched, 0);
            }

            // then
            TopicName topic = topics.name();
            passing.add(finder.pass(topic, passing.get(random.nextInt(passing.size()))));
            if (passing.size() > PASSING_MAX) {
                passing.remove(0);
            }
            CachedRoute<Route> passed = passing.get(passing.size() - 1);
            assertThat(passed.topic()).isSameAs(topic);
            CachedRoute<Route> found = found(finder, topic);
            if (random.nextBoolean()) {
                passing.set(passing.size() - 1, found);
            }
            for (Route route : List.of(found.route(), passed.route())) {
                assertThat(told(route))
                        .as("seed %d, step %d, topic %s", seed, i, topic)
                        .containsExactlyInAnyOrderElementsOf(told(expected(present, topic, overlap)));
                assertThat(Arrays.stream(route.monitors())
                                .map(one -> one.filter().text()))
                        .as("seed %d, step %d, topic %s", seed, i, topic)
                        .containsExactlyInAnyOrderElementsOf(watched.stream()
                                .filter(filter -> NaiveMatcher.matches(filter, topic.text()))
                                .toList());
            }
        }
    }

    private static Subscription subscription(
            TopicFilter filter, SubscriptionQueue[] queues, SplittableRandom random, int number)
            throws InvalidSelectorException {
        int owner = random.nextInt(queues.length);
        DeliveryOptions options = new DeliveryOptions(
                QualityOfService.of(random.nextInt(3)), random.nextBoolean(), false, new int[] {number + 1});
        Subscription made = random.nextInt(4) == 0
                ? Subscription.shared(filter, queues[owner], "group" + owner, options)
                : Subscription.exclusive(filter, queues[owner], options, random.nextInt(3) == 0, "owner" + owner);
        if (random.nextInt(5) == 0) {
            made = made.taking(QualityOfServiceFilter.values()[random.nextInt(QualityOfServiceFilter.values().length)]);
        }
        return random.nextInt(5) == 0 ? made.selecting(Selector.compile("a = " + number)) : made;
    }

    private static CachedRoute<Route> found(RouteFinder finder, TopicName topic) {
        byte[] packet = ("xx" + topic.text() + "yy").getBytes(StandardCharsets.UTF_8);
        CachedRoute<Route> known = finder.find(packet, 2, packet.length - 4);
        return known == null ? finder.compute(topic, true) : known;
    }

    private static Route expected(List<Subscription> present, TopicName topic, OverlapDelivery overlap) {
        return Route.of(
                present.stream()
                        .filter(one -> NaiveMatcher.matches(one.filter().text(), topic.text()))
                        .toList(),
                overlap);
    }

    /** Everything that makes a difference to a target's messages, but for which of several queues of an owner it is. */
    private static List<String> told(Route route) {
        return Arrays.stream(route.targets())
                .map(target -> String.join(
                        " ",
                        String.valueOf(target.owner()),
                        target.qos().toString(),
                        told(target.options()),
                        told(target.ownOptions()),
                        String.valueOf(target.excludesOwn()),
                        target.takes().toString(),
                        String.valueOf(target.selector())))
                .toList();
    }

    private static String told(@Nullable DeliveryOptions options) {
        if (options == null) {
            return "own";
        }
        int[] identifiers = options.subscriptionIdentifiers().clone();
        Arrays.sort(identifiers);
        return options.qos() + " " + options.retainAsPublished() + " " + Arrays.toString(identifiers);
    }
}
