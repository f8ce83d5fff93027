package dev.avocet.amqp.peer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names that only one may use at a time, whatever endpoint it comes through: container identifiers of connections that
 * want to be the sole ones of their container, and durable subscriptions that are not shared. Those that are shared
 * have as many users as want the same. One for the whole broker. Thread-safe.
 */
public final class ContainerIds {
    private final ConcurrentMap<String, Object> taken = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /** A number that was never given before in the broker's life. */
    public long nextNumber() {
        return numbers.incrementAndGet();
    }

    /** True when the name was free and is the owner's now. */
    public boolean take(String name, Object owner) {
        return taken.putIfAbsent(name, owner) == null;
    }

    /** The owner needs the name no longer; nothing happens when it never had it. */
    public void release(String name, Object owner) {
        taken.remove(name, owner);
    }

    /** True when the name was free, or is used by others who want the same; {@link #leave} ends this. */
    public boolean share(String name, String what) {
        Object now = taken.compute(name, (key, present) -> {
            if (present == null) {
                return new Sharing(what, 1);
            }
            return present instanceof Sharing sharing && sharing.what.equals(what)
                    ? new Sharing(what, sharing.count + 1)
                    : present;
        });
        return now instanceof Sharing sharing && sharing.what.equals(what);
    }

    /** One of those who share it does no longer. */
    public void leave(String name) {
        taken.computeIfPresent(name, (key, present) -> {
            if (present instanceof Sharing sharing) {
                return sharing.count == 1 ? null : new Sharing(sharing.what, sharing.count - 1);
            }
            return present;
        });
    }

    private record Sharing(String what, int count) {}
}
