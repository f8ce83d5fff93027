package dev.avocet.ha.role;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.slf4j.helpers.MessageFormatter;

/** Time, chance and the schedule of a simulation. One thread. */
final class World {
    private static final long MS = 1_000_000;

    private record Event(long atNs, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(number, other.number);
        }
    }

    final SplittableRandom random;
    private final boolean tracing;
    private final List<String> trace = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNs;
    private long number;

    World(long seed, boolean tracing) {
        this.random = new SplittableRandom(seed);
        this.tracing = tracing;
    }

    long nowNs() {
        return nowNs;
    }

    long nowMs() {
        return nowNs / MS;
    }

    /** Some time from now, drawn between the two. */
    void in(long fromMs, long toMs, Runnable action) {
        at(nowNs + between(fromMs, toMs), action);
    }

    void at(long atNs, Runnable action) {
        events.add(new Event(Math.max(atNs, nowNs), number++, action));
    }

    /** Nanoseconds between so many milliseconds. */
    long between(long fromMs, long toMs) {
        return fromMs * MS + random.nextLong((toMs - fromMs) * MS + 1);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Plays until then; {@code afterEach} looks at the world after each event. */
    void playUntilMs(long untilMs, Runnable afterEach) {
        while (!events.isEmpty() && events.peek().atNs() <= untilMs * MS) {
            Event event = events.remove();
            nowNs = event.atNs();
            event.action().run();
            afterEach.run();
        }
        nowNs = untilMs * MS;
    }

    void say(String text, Object... arguments) {
        if (tracing) {
            trace.add(nowNs / 1e6 + " ms  "
                    + MessageFormatter.arrayFormat(text, arguments).getMessage());
        }
    }

    List<String> trace() {
        return trace;
    }
}
