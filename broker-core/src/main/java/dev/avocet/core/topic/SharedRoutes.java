package dev.avocet.core.topic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one event loop, by what topics match and not by topics: all topics that match the same filters have the
 * same route. So there are as many as there are combinations of filters, however many topics are published to, and one
 * that a loop meets for the first time costs a walk along the filters.
 *
 * <p>A route is kept under the {@link EntrySet}s that it was made of. These are immutable and replaced when a
 * subscription comes or goes, so a route is never stale: it is not found any more, and dropped when it was not used
 * for a while. A route to one subscription is not kept here: the subscription has it.
 *
 * <p>Holds at most {@value #SLOTS} routes, and a bounded number of targets. Owned by its loop.
 */
final class SharedRoutes {
    private static final int SLOTS = 1 << 12;

    private final OverlapDelivery overlap;
    private final long targetsMax;
    private final @Nullable Shared[] slots = new Shared[SLOTS];
    private long targets;
    private int size;

    /** @param targetsMax the most targets of the routes kept; one with more is made each time */
    SharedRoutes(OverlapDelivery overlap, long targetsMax) {
        this.overlap = overlap;
        this.targetsMax = targetsMax;
    }

    /** The route of a topic, by what it matches. */
    Route of(Matches<Subscription> matches) {
        Subscription only = matches.only();
        return only == null ? shared(matches) : only.route();
    }

    /** Lets go of the routes that were not used since the last call, and with them of queues that are gone. */
    void dropUnused() {
        for (int slot = 0; slot < SLOTS; slot++) {
            Shared there = slots[slot];
            if (there != null && !there.takeUsed()) {
                drop(slot, there);
            }
        }
    }

    /** Lets go of all. */
    void clear() {
        Arrays.fill(slots, null);
        targets = 0;
        size = 0;
    }

    /** How many routes are kept. */
    int size() {
        return size;
    }

    private Route shared(Matches<Subscription> matches) {
        if (matches.entries() == 0) {
            return Route.nowhere();
        }
        int hash = matches.identityHash();
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        Shared there = slots[slot];
        if (there != null && matches.areSame(there.sets)) {
            there.markUsed();
            return there.route;
        }
        Route route = made(matches);
        keep(slot, there, matches, route);
        return route;
    }

    /** Two combinations of filters that share a slot do not throw each other out each time. */
    private void keep(int slot, @Nullable Shared there, Matches<Subscription> matches, Route route) {
        if (there != null) {
            if (there.takeUsed()) {
                return;
            }
            drop(slot, there);
        }
        int added = route.targets().length;
        if (added <= targetsMax) {
            if (added > targetsMax - targets) {
                clear();
            }
            slots[slot] = new Shared(matches.toArray(), route);
            targets += added;
            size++;
        }
    }

    private void drop(int slot, Shared there) {
        slots[slot] = null;
        targets -= there.route.targets().length;
        size--;
    }

    private Route made(Matches<Subscription> matches) {
        List<Subscription> matching = new ArrayList<>(matches.entries());
        matches.forEach(matching::add);
        return Route.of(matching, overlap);
    }

    private static final class Shared {
        private final @Nullable EntrySet<Subscription>[] sets;
        private final Route route;
        private boolean used = true;

        Shared(@Nullable EntrySet<Subscription>[] sets, Route route) {
            this.sets = sets;
            this.route = route;
        }

        void markUsed() {
            if (!used) {
                used = true;
            }
        }

        boolean takeUsed() {
            boolean was = used;
            used = false;
            return was;
        }
    }
}
