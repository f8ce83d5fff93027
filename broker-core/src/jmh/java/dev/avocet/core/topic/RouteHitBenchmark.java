package dev.avocet.core.topic;

import dev.avocet.core.message.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
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

/** A known topic, from the bytes of a packet to its route; beside it the plain way of a decoded string and a map. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class RouteHitBenchmark {
    private static final int TOPIC_OFFSET = 4;

    /** How many topics take turns. */
    @Param({"1", "100", "10000"})
    private int topicCount;

    private final SubtreeGenerations generations = new SubtreeGenerations();
    private final RouteCache<Object> cache = new RouteCache<>(generations);
    private final Map<String, Object> map = new HashMap<>();
    private byte[][] packets = {};
    private int next;

    /** Lays the topics into packets. */
    @Setup
    public void prepare() {
        packets = new byte[topicCount][];
        for (int i = 0; i < topicCount; i++) {
            String topic = "site/" + i % 50 + "/device-" + i + "/temperature";
            cache.compute(TopicName.of(topic), TopicName::text);
            map.put(topic, topic);
            packets[i] = ("head" + topic + "payload").getBytes(StandardCharsets.UTF_8);
        }
    }

    /** By the bytes. */
    @Benchmark
    public @Nullable CachedRoute<Object> cache() {
        byte[] packet = nextPacket();
        return cache.find(packet, TOPIC_OFFSET, packet.length - TOPIC_OFFSET - "payload".length());
    }

    /** By a string. */
    @Benchmark
    public @Nullable Object decodeAndMap() {
        byte[] packet = nextPacket();
        int length = packet.length - TOPIC_OFFSET - "payload".length();
        return map.get(new String(packet, TOPIC_OFFSET, length, StandardCharsets.UTF_8));
    }

    private byte[] nextPacket() {
        next = next + 1 == topicCount ? 0 : next + 1;
        return packets[next];
    }
}
