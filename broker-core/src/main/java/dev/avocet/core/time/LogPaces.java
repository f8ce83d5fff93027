package dev.avocet.core.time;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Lets one line a minute into the log for each object that lines are about, and counts those that went unsaid. Of so
 * many objects: all others share a line a minute, as clients may choose names without end. An object without a line for
 * a minute makes room for another. Thread-safe.
 */
public final class LogPaces {
    private final Clock clock;
    private final int objectsMax;
    private final LogPace others;
    private final ConcurrentMap<String, LogPace> byObject = new ConcurrentHashMap<>();

    /** @param objectsMax how many objects have a line a minute of their own */
    public LogPaces(Clock clock, int objectsMax) {
        this.clock = clock;
        this.objectsMax = objectsMax;
        this.others = new LogPace(clock);
    }

    /** The pace of the lines about one object; no object has the empty name. */
    public LogPace of(String object) {
        LogPace known = byObject.get(object);
        if (known != null) {
            return known;
        }
        if (byObject.size() >= objectsMax) {
            byObject.values().removeIf(LogPace::isIdle);
        }
        return byObject.size() < objectsMax ? byObject.computeIfAbsent(object, name -> new LogPace(clock)) : others;
    }
}
