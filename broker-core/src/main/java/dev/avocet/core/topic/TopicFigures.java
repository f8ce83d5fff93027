package dev.avocet.core.topic;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What was published to a part of the topics since it began to be watched. Each loop counts for itself; any thread
 * may read.
 */
public final class TopicFigures {
    private static final int PUBLISHED = 0;
    private static final int REJECTED = 1;
    private static final int FAILED = 2;
    /** Keeps two loops' figures off the same cache line. */
    private static final int STRIDE = 16;

    private final TopicFilter filter;
    /** What stands before the last slash; empty where every topic is watched. */
    private final byte[] parent;

    private final long sinceMs;
    private final AtomicLongArray values;

    TopicFigures(TopicFilter filter, long sinceMs, int loops) {
        this.filter = filter;
        this.parent = filter.text()
                .substring(0, Math.max(0, filter.text().length() - "/#".length()))
                .getBytes(StandardCharsets.UTF_8);
        this.sinceMs = sinceMs;
        this.values = new AtomicLongArray((loops + 1) * STRIDE);
    }

    /** Which topics these are: a filter that ends in {@code #}. */
    public TopicFilter filter() {
        return filter;
    }

    /** When counting began, in milliseconds since 1970. */
    public long sinceMs() {
        return sinceMs;
    }

    /** Messages that were taken. */
    public long published() {
        return sum(PUBLISHED);
    }

    /** Messages that full subscriptions did not take, once for each. */
    public long rejected() {
        return sum(REJECTED);
    }

    /** Publishes that failed as a whole. */
    public long failed() {
        return sum(FAILED);
    }

    /** A message was taken. On the loop. */
    public void countPublished(int loop) {
        countPublished(loop, 1);
    }

    /** Messages were taken. On the loop. */
    public void countPublished(int loop, int messages) {
        add(PUBLISHED, loop, messages);
    }

    /** Subscriptions were full and did not take a message. On the loop. */
    public void countRejected(int loop, long subscriptions) {
        add(REJECTED, loop, subscriptions);
    }

    /** A publish failed as a whole. On the loop. */
    public void countFailed(int loop) {
        add(FAILED, loop, 1);
    }

    boolean isOf(TopicName topic) {
        if (parent.length == 0) {
            return !topic.isReserved(); // [MQTT-4.7.2-1]
        }
        byte[] name = topic.utf8();
        int length = parent.length;
        return name.length >= length
                && Arrays.equals(name, 0, length, parent, 0, length)
                && (name.length == length || name[length] == '/');
    }

    private void add(int figure, int loop, long delta) {
        int slot = (loop + 1) * STRIDE + figure - STRIDE / 2;
        values.setOpaque(slot, values.getPlain(slot) + delta);
    }

    private long sum(int figure) {
        long sum = 0;
        for (int slot = STRIDE / 2 + figure; slot < values.length(); slot += STRIDE) {
            sum += values.getOpaque(slot);
        }
        return sum;
    }
}
