package dev.avocet.server.monitor;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How some figures were: every 5 seconds of the last hour, and every minute of the last day. Needs 17 KB for each
 * figure, whatever happens. Thread-safe.
 */
final class History {
    static final int INTERVAL_S = 5;
    static final int LONG_INTERVAL_S = 60;
    static final int HOUR_S = 3_600;
    static final int DAY_S = 86_400;

    private static final int SAMPLES_PER_LONG_ONE = LONG_INTERVAL_S / INTERVAL_S;

    private final List<String> names;
    private final Ring[] hour;
    private final Ring[] day;
    private long firstNs;
    private long samples;
    private long lastMs;

    History(List<String> names) {
        this.names = List.copyOf(names);
        this.hour = rings(names.size(), HOUR_S / INTERVAL_S);
        this.day = rings(names.size(), DAY_S / LONG_INTERVAL_S);
    }

    List<String> names() {
        return names;
    }

    /**
     * Takes the figures as they are now. Where some samples are missing, because the process slept, they are taken to
     * have been the same. Synchronized with readers, who are few and quick.
     *
     * @param nowNs monotonic
     * @param nowMs since 1970
     * @param values in the order of the names
     */
    synchronized void sample(long nowNs, long nowMs, long[] values) {
        if (samples == 0) {
            firstNs = nowNs;
        }
        long due = (nowNs - firstNs) / TimeUnit.SECONDS.toNanos(INTERVAL_S) + 1;
        long from = Math.max(samples, due - DAY_S / INTERVAL_S);
        for (samples = from; samples < due; samples++) {
            keep(values);
        }
        lastMs = nowMs;
    }

    /** The last values of a figure, the oldest first; as many as there are. Synchronized as is {@link #sample}. */
    synchronized Window window(String name, int durationS) {
        int figure = names.indexOf(name);
        boolean isShort = durationS <= HOUR_S;
        int intervalS = isShort ? INTERVAL_S : LONG_INTERVAL_S;
        Ring ring = (isShort ? hour : day)[figure];
        return new Window(intervalS, lastMs, ring.last(Math.max(1, durationS / intervalS)));
    }

    private void keep(long[] values) {
        for (int i = 0; i < values.length; i++) {
            hour[i].add(values[i]);
            if (samples % SAMPLES_PER_LONG_ONE == 0) {
                day[i].add(values[i]);
            }
        }
    }

    private static Ring[] rings(int count, int length) {
        Ring[] rings = new Ring[count];
        for (int i = 0; i < count; i++) {
            rings[i] = new Ring(length);
        }
        return rings;
    }

    /**
     * Some values.
     *
     * @param intervalS seconds between two
     * @param lastMs when the last sample was taken, in milliseconds since 1970; 0 for never
     * @param values the oldest first
     */
    record Window(int intervalS, long lastMs, long[] values) {}

    /** The last so many values. */
    private static final class Ring {
        private final long[] values;
        private long count;

        Ring(int length) {
            values = new long[length];
        }

        void add(long value) {
            values[(int) (count++ % values.length)] = value;
        }

        long[] last(int most) {
            int length = (int) Math.min(Math.min(most, values.length), count);
            long[] last = new long[length];
            for (int i = 0; i < length; i++) {
                last[i] = values[(int) ((count - length + i) % values.length)];
            }
            return last;
        }
    }
}
