package dev.avocet.core.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Publishers that wait for room in one queue, in the order in which they came. One that was called keeps its place
 * until it has answered: by {@linkplain #stop giving it up}, or by waiting on, as others were faster. Any thread; the
 * lock is held for the time of a look-up, and only while somebody waits.
 */
final class RoomWaiters {
    // guarded by this
    private final Map<Runnable, Long> places = new HashMap<>();
    private final TreeMap<Long, Runnable> waiting = new TreeMap<>();
    private long lastPlace;

    private volatile int count;

    /** True when somebody waits who has not been called. */
    boolean isAnyWaiting() {
        return count > 0;
    }

    /** Adds an action behind the others; one that was called and has not answered has its old place again. */
    synchronized void add(Runnable action) {
        Long place = places.computeIfAbsent(action, any -> ++lastPlace);
        waiting.put(place, action);
        count = waiting.size();
    }

    /** The action waits no longer, or answers that it was called. */
    synchronized void stop(Runnable action) {
        Long place = places.remove(action);
        if (place != null) {
            waiting.remove(place);
            count = waiting.size();
        }
    }

    /**
     * Takes the first ones, to be called: as many as there is room for beside those that were called before.
     *
     * @param room how many find room
     * @param least nobody is taken for less, unless fewer wait
     */
    synchronized List<Runnable> take(int room, int least) {
        int called = places.size() - waiting.size();
        int most = Math.min(room - called, waiting.size());
        if (most < Math.min(least, waiting.size()) || most <= 0) {
            return List.of();
        }
        List<Runnable> taken = new ArrayList<>(most);
        for (int i = 0; i < most; i++) {
            taken.add(waiting.pollFirstEntry().getValue());
        }
        count = waiting.size();
        return taken;
    }

    /** Takes all, to be called. */
    synchronized List<Runnable> takeAll() {
        List<Runnable> all = new ArrayList<>(waiting.values());
        waiting.clear();
        count = 0;
        return all;
    }
}
