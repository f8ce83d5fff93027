package dev.avocet.core.destination;

import dev.avocet.core.loop.IoLoop;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The queues that there are, by name. Any thread. A front end asks {@link dev.avocet.core.policy.AccessRights#queue} before. */
public interface Queues {
    /** The queue with a name; null when there is none. */
    @Nullable NamedQueue find(String name);

    /** All queues, in no order. */
    Collection<NamedQueue> all();

    /**
     * The queue with a name, which is made if there is none: for clients that may do so. It survives the broker, and goes when it is empty
     * and nobody uses it.
     *
     * @param home where it lives when it is made
     */
    NamedQueue findOrCreate(String name, IoLoop home);

    /**
     * A new queue for one connection, on whose loop it lives.
     *
     * @throws IllegalArgumentException when there is a queue of that name
     */
    NamedQueue createTemporary(String name, IoLoop home);

    /** Ends a queue that is not configured, with what waits in it. Its receivers hear of it. */
    void delete(NamedQueue queue);
}
