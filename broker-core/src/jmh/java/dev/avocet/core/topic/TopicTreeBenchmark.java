package dev.avocet.core.topic;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** A tree of 100,000 filters, a tenth of them with wildcards: matching alone, changing alone, and both at once. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class TopicTreeBenchmark {
    private static final int FILTERS = 100_000;
    private static final int SITES = 500;

    /** What all threads share. */
    @State(Scope.Benchmark)
    public static class Shared {
        private final TopicTree<Object> tree = new TopicTree<>(new SubtreeGenerations());

        /** Subscribes. */
        @Setup
        public void subscribe() {
            for (int i = 0; i < FILTERS; i++) {
                tree.add(TopicFilter.of(filter(i)), new Object());
            }
        }

        private static String filter(int i) {
            String device = "site/" + i % SITES + "/device-" + i;
            return switch (i % 20) {
                case 0 -> "site/+/device-" + i + "/temperature";
                case 1 -> device + "/#";
                default -> device + "/temperature";
            };
        }
    }

    /** Topics in turn, far more than fit a cache of routes. */
    @State(Scope.Thread)
    public static class Publisher {
        private final TopicName[] topics = new TopicName[FILTERS];
        private int next;

        /** Names the topics. */
        @Setup
        public void name() {
            for (int i = 0; i < FILTERS; i++) {
                topics[i] = TopicName.of("site/" + i % SITES + "/device-" + i + "/temperature");
            }
        }

        private TopicName nextTopic() {
            next = (next + 7_919) % FILTERS;
            return topics[next];
        }
    }

    /** Subscriptions that come and go, in a node of their own each. */
    @State(Scope.Thread)
    public static class Subscriber {
        private final TopicFilter[] filters = new TopicFilter[10_000];
        private final Object entry = new Object();
        private int next;

        /** Names the filters. */
        @Setup
        public void name() {
            for (int i = 0; i < filters.length; i++) {
                filters[i] = TopicFilter.of("site/" + i % SITES + "/device-" + i + "/churn");
            }
        }

        private TopicFilter nextFilter() {
            next = (next + 1) % filters.length;
            return filters[next];
        }
    }

    /** What a miss of the cache costs. */
    @Benchmark
    public void miss(Shared shared, Publisher publisher, Blackhole blackhole) {
        shared.tree.match(publisher.nextTopic(), blackhole::consume);
    }

    /** One add and one remove. */
    @Benchmark
    public boolean churn(Shared shared, Subscriber subscriber) {
        TopicFilter filter = subscriber.nextFilter();
        return shared.tree.add(filter, subscriber.entry) && shared.tree.remove(filter, subscriber.entry);
    }

    /** Matching while another thread does nothing but add and remove. */
    @Benchmark
    @Group("together")
    @GroupThreads(1)
    public void matchBesideChurn(Shared shared, Publisher publisher, Blackhole blackhole) {
        shared.tree.match(publisher.nextTopic(), blackhole::consume);
    }

    /** The other thread. */
    @Benchmark
    @Group("together")
    @GroupThreads(1)
    public boolean churnBesideMatch(Shared shared, Subscriber subscriber) {
        return churn(shared, subscriber);
    }
}
