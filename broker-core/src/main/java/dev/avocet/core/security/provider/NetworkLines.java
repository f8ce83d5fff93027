package dev.avocet.core.security.provider;

import dev.avocet.core.security.login.SourceNetwork;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What waits, in a line for each network. Lines take turns. One network may have all places while no other one wants
 * any, as clients behind one address do. When all are taken, one that comes from elsewhere gets the place of the last
 * one in the longest line, unless its own line is as long.
 *
 * <p>Thread-safe. The lock is held for a look-up, and for a look at each line when all places are taken; at logins
 * only.
 */
final class NetworkLines<T> {
    private final int places;

    // All guarded by this object.
    /** None of them empty; the one whose turn is next comes first. */
    private final Map<SourceNetwork, Deque<T>> lines = new LinkedHashMap<>();

    private int size;
    private boolean closed;

    NetworkLines(int places) {
        this.places = places;
    }

    /** @return who is left out, which may be the newcomer; null when there is a place for it */
    synchronized @Nullable T add(SourceNetwork from, T newcomer) {
        if (closed) {
            return newcomer;
        }
        T leftOut = null;
        if (size == places) {
            Deque<T> own = lines.get(from);
            Deque<T> longest = longest();
            if ((own == null ? 0 : own.size()) + 1 >= longest.size()) {
                return newcomer;
            }
            leftOut = longest.removeLast();
            size--;
        }
        lines.computeIfAbsent(from, network -> new ArrayDeque<>()).add(newcomer);
        size++;
        return leftOut;
    }

    /** Takes the one whose turn it is; null when none waits. */
    synchronized @Nullable T next() {
        Iterator<Map.Entry<SourceNetwork, Deque<T>>> all = lines.entrySet().iterator();
        if (!all.hasNext()) {
            return null;
        }
        Map.Entry<SourceNetwork, Deque<T>> first = all.next();
        SourceNetwork from = first.getKey();
        Deque<T> line = first.getValue();
        all.remove();
        T next = line.remove();
        if (!line.isEmpty()) {
            lines.put(from, line);
        }
        size--;
        return next;
    }

    synchronized int size() {
        return size;
    }

    /** Takes no more, and returns all that wait. */
    synchronized List<T> close() {
        closed = true;
        List<T> left = new ArrayList<>();
        lines.values().forEach(left::addAll);
        lines.clear();
        size = 0;
        return left;
    }

    private Deque<T> longest() {
        Deque<T> longest = new ArrayDeque<>();
        for (Deque<T> line : lines.values()) {
            if (line.size() > longest.size()) {
                longest = line;
            }
        }
        return longest;
    }
}
