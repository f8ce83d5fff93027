package dev.avocet.core.topic;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.Blackhole;

/** One filter with thousands of subscribers; beside it the plain way of one array that is copied for each change. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class FanOutChurnBenchmark {
    private static final TopicFilter FILTER = TopicFilter.of("news/today");
    private static final TopicName TOPIC = TopicName.of("news/today");

    /** How many subscribe. */
    @Param({"10000", "100000"})
    private int subscriberCount;

    private TopicTree<Object> tree = new TopicTree<>(new SubtreeGenerations());
    private Object[] flat = {};
    private Object[] entries = {};
    private int next;

    /** Subscribes. */
    @Setup
    public void subscribe() {
        entries = new Object[subscriberCount];
        Arrays.setAll(entries, i -> new Object());
        tree = new TopicTree<>(new SubtreeGenerations());
        for (Object entry : entries) {
            tree.add(FILTER, entry);
        }
        flat = entries.clone();
    }

    /** A tree that grows from nothing. */
    @Benchmark
    public TopicTree<Object> addAll() {
        TopicTree<Object> fresh = new TopicTree<>(tree.generations());
        for (Object entry : entries) {
            fresh.add(FILTER, entry);
        }
        return fresh;
    }

    /** One subscriber goes and comes back. */
    @Benchmark
    public boolean churn() {
        Object entry = nextEntry();
        return tree.remove(FILTER, entry) && tree.add(FILTER, entry);
    }

    /** The same with one array. */
    @Benchmark
    public Object[] churnOfOneArray() {
        Object entry = nextEntry();
        flat = FewEntries.append(FewEntries.removed(flat, entry), entry);
        return flat;
    }

    /** All subscribers of one topic. */
    @Benchmark
    public void match(Blackhole blackhole) {
        tree.match(TOPIC, blackhole::consume);
    }

    private Object nextEntry() {
        next = (next + 7_919) % entries.length;
        return entries[next];
    }
}
