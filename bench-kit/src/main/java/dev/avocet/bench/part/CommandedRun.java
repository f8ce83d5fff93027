package dev.avocet.bench.part;

import java.util.function.Consumer;

/** A run that takes commands. Any thread may give them. */
public interface CommandedRun {
    /** Since it began to connect. */
    double seconds();

    /**
     * Has something done by the thread that runs, while messages flow. @return false when it is over, or busy with
     * others
     */
    boolean submit(Consumer<LiveRun> command);

    /** Ends warming up, measuring or draining now; the result is of what was until then. */
    void stop();
}
