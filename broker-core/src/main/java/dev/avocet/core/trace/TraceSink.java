package dev.avocet.core.trace;

/** Takes what is traced. */
@FunctionalInterface
public interface TraceSink {
    /** Nothing is kept. */
    TraceSink NONE = line -> {};

    /**
     * Takes one line, without its end. Any thread, event loops too: it must not block, and drops what it cannot take.
     */
    void write(String line);
}
