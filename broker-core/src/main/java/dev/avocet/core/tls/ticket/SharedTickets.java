package dev.avocet.core.tls.ticket;

import dev.avocet.core.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys of session tickets of a node of a pair, so that the other node can go on with them when it takes over. The
 * node that serves clients makes them; the other one keeps them until it opens the endpoints. They are in memory alone.
 * Thread-safe.
 */
public final class SharedTickets implements TicketSource {
    private final ReentrantLock lock = new ReentrantLock(); // for the maps; never held while another is told
    private final Map<String, OwnTicketKeys> open = new HashMap<>();
    private final Map<String, AgedKeys> received = new HashMap<>();
    private volatile Runnable onChange = () -> {};

    /** Has that run, by any thread, when there are other keys to be given. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    @Override
    public TicketKeys open(String endpoint, Duration interval, Clock clock) {
        OwnTicketKeys keys;
        lock.lock();
        try {
            AgedKeys before = received.remove(endpoint);
            keys = new OwnTicketKeys(interval, clock, before, () -> onChange.run());
            open.put(endpoint, keys);
        } finally {
            lock.unlock();
        }
        onChange.run();
        return keys;
    }

    @Override
    public void closed(String endpoint, TicketKeys keys) {
        lock.lock();
        try {
            if (open.get(endpoint) == keys) {
                open.remove(endpoint);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Those of all endpoints that are open, by their names; holds secrets. */
    public Map<String, AgedKeys> given() {
        lock.lock();
        try {
            Map<String, AgedKeys> all = new TreeMap<>();
            open.forEach((endpoint, keys) -> all.put(endpoint, keys.aged()));
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** What the other node has given takes the place of what it gave before. */
    public void received(Map<String, AgedKeys> all) {
        lock.lock();
        try {
            received.clear();
            received.putAll(all);
        } finally {
            lock.unlock();
        }
    }
}
