package dev.avocet.server.console;

import dev.avocet.core.time.Clock;
import dev.avocet.core.trace.TraceSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Lines of a trace that wait to be sent to who watches. What there is no room for is counted. Any thread writes. */
final class TracedLines implements TraceSink {
    /** Lines that wait at most. */
    static final int ROOM = 2_000;

    private static final int LONGEST = 2_000;

    private final Queue<Line> lines = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger toCome;
    private final AtomicLong leftOut = new AtomicLong();
    private final Clock clock;

    /** @param most lines that are taken at all */
    TracedLines(int most, Clock clock) {
        this.toCome = new AtomicInteger(most);
        this.clock = clock;
    }

    /** A line, and when it was written. */
    record Line(long wallMs, String text) {}

    /**
     * What is to be sent now.
     *
     * @param leftOut lines for which there was no room since the last part
     * @param isLast whether no more are taken
     */
    record Part(List<Line> lines, long leftOut, boolean isLast) {}

    @Override
    public void write(String line) {
        if (toCome.get() <= 0) {
            return;
        }
        if (waiting.get() >= ROOM) {
            leftOut.incrementAndGet();
        } else if (toCome.getAndDecrement() > 0) {
            String text = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
            lines.add(new Line(clock.wallTimeMs(), text));
            waiting.incrementAndGet();
        }
    }

    /** Takes what waits. One thread. */
    Part take() {
        boolean isLast = toCome.get() <= 0;
        List<Line> part = new ArrayList<>();
        for (Line line = lines.poll(); line != null; line = lines.poll()) {
            part.add(line);
        }
        waiting.addAndGet(-part.size());
        return new Part(part, leftOut.getAndSet(0), isLast);
    }
}
