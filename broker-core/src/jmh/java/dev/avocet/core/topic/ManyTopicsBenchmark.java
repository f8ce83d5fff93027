package dev.avocet.core.topic;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.time.SystemClock;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A fleet with a topic for each device, from the bytes of a packet to the route, as a loop does it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ManyTopicsBenchmark {
    private static final int PARTS = 10;
    /** Of so many routes a publisher remembers one. */
    private static final int REMEMBERED = 16;

    private static final int TARGETS_MAX = 1_000_000;

    /** How many topics take turns. */
    @Param({"100", "1000", "10000", "1000000"})
    private int topicCount;

    /** What is subscribed: parts of the tree, each topic by its name, or a level below each device. */
    @Param({"PREFIX", "EXACT", "PLUS"})
    private Filters filters = Filters.PREFIX;

    /** Routes held by their topics. */
    @Param({"1", "4096", "16384"})
    private int cached;

    private TopicTree<Subscription> tree = new TopicTree<>(new SubtreeGenerations());
    private RouteFinder finder = finder();
    private RouteCache<Route> cacheOfAll = new RouteCache<>(tree.generations(), 1);
    private byte[] packets = {};
    private int[] offsets = {};
    private final RouteLooks looks = new RouteLooks();
    private @Nullable CachedRoute<Route> last;
    private int next;

    /** Kinds of filters. */
    public enum Filters {
        PREFIX,
        EXACT,
        PLUS
    }

    /** Subscribes, and lays the topics one behind the other. */
    @Setup
    public void prepare() {
        tree = new TopicTree<>(new SubtreeGenerations());
        finder = finder();
        cacheOfAll = new RouteCache<>(tree.generations(), cached, TARGETS_MAX, route -> route.targets().length);
        IoLoop loop = new IoLoop(0, new ArrayDeque<Runnable>()::add, () -> true, new SystemClock(), new MemoryGuard());
        SubscriptionQueue[] queues = new SubscriptionQueue[PARTS];
        Arrays.setAll(queues, part -> new SubscriptionQueue("p" + part, loop, QueueLimits.DEFAULT, 0));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        offsets = new int[topicCount + 1];
        for (int i = 0; i < topicCount; i++) {
            int part = i * PARTS / topicCount; // a publisher has topics of one part
            String topic = "p" + part + "/t" + i + "/state";
            all.writeBytes(topic.getBytes(StandardCharsets.UTF_8));
            offsets[i + 1] = all.size();
            if (filters == Filters.EXACT) {
                subscribe(topic, queues[part]);
            }
        }
        packets = all.toByteArray();
        for (int part = 0; part < PARTS && filters != Filters.EXACT; part++) {
            subscribe("p" + part + (filters == Filters.PREFIX ? "/#" : "/+/state"), queues[part]);
        }
    }

    /** As the broker does it for a publisher of all these topics: the last route may lead to the next topic. */
    @Benchmark
    public Route find() {
        advance();
        CachedRoute<Route> before = last;
        if (before != null
                && !finder.holdsFew()
                && before.leads(packets, offsets[next], offsets[next + 1] - offsets[next])) {
            return remember(before.of(topic()));
        }
        return lookFirst();
    }

    /** With a look for the topic first, as long as that finds some. */
    @Benchmark
    public Route findLooked() {
        advance();
        return lookFirst();
    }

    private Route lookFirst() {
        if (!looks.isWorthIt()) {
            return remember(finder.pass(topic(), last));
        }
        CachedRoute<Route> known = finder.find(packets, offsets[next], offsets[next + 1] - offsets[next]);
        if (known != null) {
            looks.found();
            last = known;
            return known.route();
        }
        looks.missed();
        return finder.compute(topic(), true).route();
    }

    private Route remember(CachedRoute<Route> fresh) {
        if (next % REMEMBERED == 0) {
            last = fresh;
        }
        return fresh.route();
    }

    /** The same by a look for each. */
    @Benchmark
    public Route findEach() {
        advance();
        int length = offsets[next + 1] - offsets[next];
        CachedRoute<Route> known = finder.find(packets, offsets[next], length);
        return (known == null ? finder.compute(topic(), true) : known).route();
    }

    /** With a route for each topic that is kept at once. */
    @Benchmark
    public Route keepAll() {
        advance();
        int length = offsets[next + 1] - offsets[next];
        CachedRoute<Route> known = cacheOfAll.find(packets, offsets[next], length);
        return (known == null ? cacheOfAll.compute(topic(), this::route) : known).route();
    }

    private void advance() {
        next = next + 1 == topicCount ? 0 : next + 1;
    }

    private TopicName topic() {
        return TopicName.ofUtf8(Arrays.copyOfRange(packets, offsets[next], offsets[next + 1]));
    }

    private Route route(TopicName topic) {
        List<Subscription> matching = new ArrayList<>();
        tree.match(topic, matching::add);
        return Route.of(matching, OverlapDelivery.ONCE);
    }

    private RouteFinder finder() {
        return new RouteFinder(
                tree, new TopicMonitors(tree.generations(), 1), OverlapDelivery.ONCE, Math.max(1, cached), TARGETS_MAX);
    }

    private void subscribe(String filter, SubscriptionQueue queue) {
        DeliveryOptions options =
                new DeliveryOptions(QualityOfService.AT_MOST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS);
        TopicFilter parsed = TopicFilter.of(filter);
        tree.add(parsed, Subscription.exclusive(parsed, queue, options, false, queue));
    }
}
