package dev.avocet.core.topic;

import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.level.TopicHash;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Routes by the UTF-8 bytes of their topics, as they lie in the buffer of a packet: a hit decodes nothing and allocates
 * nothing.
 *
 * <p>Owned by one event loop. Holds at most as many routes as it was made for; then one that is stale or was not used
 * lately goes. Routes of topics without publishers stay until then, or until {@link #dropStale} comes
 * by. A route to thousands of subscribers is larger than thousands of routes to one, so the sum of the routes' weights
 * is bounded as well.
 *
 * <p>Open addressing with linear probing over a table at most half full. A probe ends after {@value #PROBE_LIMIT}
 * slots, and an eviction looks at {@value #EVICTION_LIMIT}, so no operation is ever long.
 */
public final class RouteCache<R> {
    /** Routes to hold unless configured otherwise. */
    public static final int DEFAULT_CAPACITY = 16_384;

    /** Four cache lines of hashes. At half load not one of three million topics was pushed further. */
    private static final int PROBE_LIMIT = 64;

    private static final int EVICTION_LIMIT = 32;
    private static final int EVICTIONS_PER_PUT = 16;

    private final SubtreeGenerations generations;
    private final TopicHash hash = new TopicHash(new SplittableRandom().nextLong());
    private final int capacity;
    private final int mask;

    /** Zero where the slot is empty, so that probing stays in this array until a hash agrees. */
    private final int[] hashes;

    private final @Nullable CachedRoute<R>[] routes;
    /**
     * Parts of the hashes of topics that were offered once, each where the next one with the same last bits takes its
     * place.
     */
    private final short[] offeredOnce;

    private final int offeredMask;

    private final long weightMax;
    private final ToIntFunction<? super R> weigher;
    private int size;
    private long weight;
    private int hand;

    public RouteCache(SubtreeGenerations generations) {
        this(generations, DEFAULT_CAPACITY);
    }

    /** With a bound on the number of routes only, whatever they weigh. */
    public RouteCache(SubtreeGenerations generations, int capacity) {
        this(generations, capacity, Long.MAX_VALUE, route -> 0);
    }

    /**
     * @param capacity the most routes held, 1 to 2^28
     * @param weightMax the most that the routes held weigh together; heavier ones are computed each time
     * @param weigher what a route weighs, for instance how many subscribers it leads to; the same whenever asked
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // the array never leaves this object
    public RouteCache(SubtreeGenerations generations, int capacity, long weightMax, ToIntFunction<? super R> weigher) {
        if (capacity < 1 || capacity > 1 << 28) {
            throw new IllegalArgumentException("capacity must be 1 to 2^28, not " + capacity);
        }
        this.generations = generations;
        this.capacity = capacity;
        this.weightMax = weightMax;
        this.weigher = weigher;
        int slots = Math.max(2, Integer.highestOneBit(capacity * 2 - 1) << 1);
        this.mask = slots - 1;
        this.hashes = new int[slots];
        this.offeredOnce = new short[slots / 2];
        this.offeredMask = slots / 2 - 1;
        this.routes = new CachedRoute[slots];
    }

    /** How many routes are held, stale ones included. */
    public int size() {
        return size;
    }

    /** What the routes held weigh together. */
    public long weight() {
        return weight;
    }

    /** The current route of the topic whose name lies in the buffer, or null when there is none or it is stale. */
    public @Nullable CachedRoute<R> find(byte[] buffer, int offset, int length) {
        CachedRoute<R> found = lookUp(buffer, offset, length);
        return found != null && found.isCurrent() ? found : null;
    }

    /**
     * The same, but a stale route is computed anew under the topic name that is already known; null only when the topic
     * is not held at all and its name has yet to be checked and decoded.
     *
     * @param walk computes a route
     */
    public @Nullable CachedRoute<R> findOrRefresh(
            byte[] buffer, int offset, int length, Function<? super TopicName, CachedRoute<R>> walk) {
        CachedRoute<R> found = lookUp(buffer, offset, length);
        if (found == null || found.isCurrent()) {
            return found;
        }
        CachedRoute<R> computed = walk.apply(found.topic());
        put(computed);
        return computed;
    }

    /** Computes the topic's route and keeps it in place of an earlier one. */
    public CachedRoute<R> compute(TopicName topic, Function<? super TopicName, ? extends R> router) {
        CachedRoute<R> computed = CachedRoute.compute(generations, topic, router);
        put(computed);
        return computed;
    }

    /**
     * Keeps a route in place of an earlier one of its topic, unless it is so heavy that too many others would have to
     * go.
     */
    public void put(CachedRoute<R> route) {
        byte[] utf8 = route.topic().utf8();
        int hashed = hash.hash(utf8, 0, utf8.length);
        int slot = slotFor(utf8, hashed);
        if (hashes[slot] != 0) {
            clear(slot);
        }
        int added = weigher.applyAsInt(route.route());
        if (!makeRoom(added)) {
            return;
        }
        slot = slotFor(utf8, hashed);
        discount(routes[slot]);
        hashes[slot] = hashed;
        routes[slot] = route;
        weight += added;
        size++;
    }

    /**
     * Keeps a route if there is room, or if its topic was offered before, not so long ago that a whole cache of others
     * came in between. So a stream of topics that do not come back, or not soon, throws nothing out.
     */
    public void offer(CachedRoute<R> route) {
        byte[] utf8 = route.topic().utf8();
        int hashed = hash.hash(utf8, 0, utf8.length);
        int slot = hashed & offeredMask;
        short part = (short) (hashed >>> Short.SIZE);
        if (size < capacity || offeredOnce[slot] == part) {
            put(route);
        } else {
            offeredOnce[slot] = part;
        }
    }

    private boolean makeRoom(int added) {
        for (int i = 0; i < EVICTIONS_PER_PUT && size > 0 && !hasRoom(added); i++) {
            evict();
        }
        return hasRoom(added);
    }

    private boolean hasRoom(int added) {
        return size < capacity && added <= weightMax - weight;
    }

    /**
     * Forgets the stale routes in the next {@code slotCount} slots, so that they do not keep alive what they lead to.
     */
    public void dropStale(int slotCount) {
        for (int i = 0; i < slotCount; i++) {
            CachedRoute<R> route = routes[hand];
            if (route != null && !route.isCurrent()) {
                clear(hand); // and look at the same slot again: another route may have moved in
            } else {
                hand = hand + 1 & mask;
            }
        }
    }

    /** Forgets all routes. */
    public void clear() {
        Arrays.fill(hashes, 0);
        Arrays.fill(routes, null);
        size = 0;
        weight = 0;
        hand = 0;
    }

    private @Nullable CachedRoute<R> lookUp(byte[] buffer, int offset, int length) {
        int hashed = hash.hash(buffer, offset, length);
        int slot = hashed & mask;
        for (int i = 0; i < PROBE_LIMIT; i++) {
            int there = hashes[slot];
            if (there == hashed) {
                CachedRoute<R> route = routes[slot];
                if (route != null && route.isFor(buffer, offset, length)) {
                    route.markUsed();
                    return route;
                }
            } else if (there == 0) {
                return null;
            }
            slot = slot + 1 & mask;
        }
        return null;
    }

    /** The topic's slot, or the first empty one, or its home when neither is near: what is there has to go. */
    private int slotFor(byte[] utf8, int hashed) {
        int slot = hashed & mask;
        for (int i = 0; i < PROBE_LIMIT; i++) {
            CachedRoute<R> route = routes[slot];
            if (route == null || (hashes[slot] == hashed && route.isFor(utf8, 0, utf8.length))) {
                return slot;
            }
            slot = slot + 1 & mask;
        }
        return hashed & mask;
    }

    /**
     * Goes round and takes the first route that is stale or was not used since the last round, or the last of a few.
     */
    private void evict() {
        int seen = 0;
        while (true) {
            CachedRoute<R> route = routes[hand];
            if (route != null) {
                seen++;
                boolean keep = route.isCurrent() && route.takeUsed();
                if (!keep || seen == EVICTION_LIMIT) {
                    clear(hand);
                    return;
                }
            }
            hand = hand + 1 & mask;
        }
    }

    /** Empties a slot and moves up what was pushed behind it, so that no probe ends too early. */
    private void clear(int slot) {
        discount(routes[slot]);
        int hole = slot;
        int next = hole + 1 & mask;
        while (hashes[next] != 0) {
            int home = hashes[next] & mask;
            if ((next - home & mask) >= (next - hole & mask)) {
                hashes[hole] = hashes[next];
                routes[hole] = routes[next];
                hole = next;
            }
            next = next + 1 & mask;
        }
        hashes[hole] = 0;
        routes[hole] = null;
    }

    private void discount(@Nullable CachedRoute<R> gone) {
        if (gone != null) {
            weight -= weigher.applyAsInt(gone.route());
            size--;
        }
    }
}
