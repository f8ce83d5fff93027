package dev.avocet.bench.latency;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The latencies of all threads, in intervals and as a whole. Owned by the thread that reports. */
public final class LatencyHistory {
    private final List<Group> groups;
    private final boolean isGrouped;
    private final Histogram interval = histogram();
    private final Histogram total = histogram();

    /** What is summed up for itself too. */
    private record Group(List<LatencyRecorder> recorders, Histogram total) {}

    private LatencyHistory(List<List<LatencyRecorder>> groups, boolean isGrouped) {
        this.isGrouped = isGrouped;
        this.groups = groups.stream()
                .map(recorders -> new Group(List.copyOf(recorders), isGrouped ? histogram() : total))
                .toList();
    }

    public LatencyHistory(List<LatencyRecorder> recorders) {
        this(List.of(recorders), false);
    }

    /** Of threads that belong to different servers, for which {@link #total(int)} asks. */
    public static LatencyHistory ofGroups(List<List<LatencyRecorder>> groups) {
        return new LatencyHistory(groups, true);
    }

    private static Histogram histogram() {
        return new Histogram(1, LatencyRecorder.HIGHEST_NS, LatencyRecorder.DIGITS);
    }

    /** Ends an interval. @return what was recorded in it */
    public LatencySummary endInterval() {
        interval.reset();
        for (Group group : groups) {
            for (LatencyRecorder recorder : group.recorders) {
                Histogram taken = recorder.take();
                interval.add(taken);
                if (isGrouped) {
                    group.total.add(taken);
                }
            }
        }
        total.add(interval);
        return LatencySummary.of(interval);
    }

    /** The interval that ended last, for {@link MergedLatency}. */
    public byte[] encodedInterval() {
        ByteBuffer buffer = ByteBuffer.allocate(interval.getNeededByteBufferCapacity());
        int size = interval.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), size);
    }

    /** Forgets everything, as after warming up. */
    public void forget() {
        for (Group group : groups) {
            group.recorders.forEach(LatencyRecorder::take);
            group.total.reset();
        }
        total.reset();
    }

    /** Of all intervals of a group, numbered from 0, that have ended. */
    public LatencySummary total(int group) {
        return LatencySummary.of(groups.get(group).total);
    }

    /** Of all intervals that have ended. */
    public LatencySummary total() {
        return LatencySummary.of(total);
    }

    /** The curve of all percentiles of the intervals that have ended, with more points towards its end. */
    public List<Percentile> percentiles() {
        return Percentile.curve(total);
    }
}
