package dev.avocet.jms.connection;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names that only one may use at a time, whatever endpoint it comes through: container identifiers of connections that want to be the sole ones of
 * their container, and durable subscriptions that are not shared. One for the whole broker. Thread-safe.
 */
public final class ContainerIds {
    private final ConcurrentMap<String, Object> taken = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /** A number that was never given before in the broker's life. */
    long nextNumber() {
        return numbers.incrementAndGet();
    }

    /** True when the name was free and is the owner's now. */
    boolean take(String name, Object owner) {
        return taken.putIfAbsent(name, owner) == null;
    }

    /** The owner needs the name no longer; nothing happens when it never had it. */
    void release(String name, Object owner) {
        taken.remove(name, owner);
    }
}
