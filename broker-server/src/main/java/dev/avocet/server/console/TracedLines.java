package dev.avocet.server.console;

import dev.avocet.core.time.Clock;
import dev.avocet.core.trace.TraceSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Lines of a trace that wait to be sent to who watches. What there is no room for is counted. Thread-safe. */
final class TracedLines implements TraceSink {
    /** Lines that wait at most. */
    static final int ROOM = 2_000;

    private static final int LONGEST = 2_000;

    private final Deque<Line> lines = new ArrayDeque<>();
    private final Clock clock;
    private int toCome;
    private long leftOut;

    /** @param most lines that are taken at all */
    TracedLines(int most, Clock clock) {
        this.toCome = most;
        this.clock = clock;
    }

    /** A line, and when it was written. */
    record Line(long wallMs, String text) {}

    /** What is to be sent now. */
    record Part(List<Line> lines, long leftOut, boolean isLast) {}

    @Override
    public synchronized void write(String line) {
        if (toCome == 0) {
            return;
        }
        if (lines.size() == ROOM) {
            leftOut++;
            return;
        }
        toCome--;
        String text = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
        lines.add(new Line(clock.wallTimeMs(), text));
    }

    /** Takes what waits. */
    synchronized Part take() {
        Part part = new Part(new ArrayList<>(lines), leftOut, toCome == 0);
        lines.clear();
        leftOut = 0;
        return part;
    }
}
