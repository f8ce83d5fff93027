package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.queue.ranked.QueueEntry;
import dev.avocet.core.queue.ranked.RankedReferences;
import dev.avocet.core.queue.receiver.Receiver;
import dev.avocet.core.queue.receiver.Receivers;
import dev.avocet.core.queue.receiver.Settlement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Receivers that have gone: what they had in flight comes back in turns, and the loop serves its clients in between.
 * Until all of one is back no other receiver gets anything, or it would get what came later before what came earlier.
 * Home loop.
 */
final class Departures {
    /** Messages that come back in one turn, or are forgotten to have been refused. */
    private static final int STEPS_PER_TURN = 500;

    private final Supplier<IoLoop> home;
    private final RankedReferences waiting;
    private final EntryCourse course;
    private final Receivers receivers;
    private final Set<Departure> going = new LinkedHashSet<>(0);

    /** @param receivers those that stay */
    Departures(Supplier<IoLoop> home, RankedReferences waiting, EntryCourse course, Receivers receivers) {
        this.home = home;
        this.waiting = waiting;
        this.course = course;
        this.receivers = receivers;
    }

    /**
     * A receiver is attached no longer.
     *
     * @param unsettled what becomes of the deliveries that it has seen
     * @param seen how many it has seen
     * @param freed whether others may get now what only this one could
     */
    void begin(Receiver receiver, Settlement unsettled, long seen, boolean freed) {
        Departure departure = new Departure(receiver, unsettled, seen, freed);
        going.add(departure);
        course.serving().gather();
        departure.turn();
    }

    /** The queue is closed; returns how many messages were to come back. */
    int close() {
        int ended = 0;
        for (Departure departure : going) {
            ended += departure.receiver.held().clear();
        }
        going.clear();
        return ended;
    }

    private final class Departure {
        private final Receiver receiver;
        private final Settlement unsettled;
        private final long seen;
        private final boolean freed;

        Departure(Receiver receiver, Settlement unsettled, long seen, boolean freed) {
            this.receiver = receiver;
            this.unsettled = unsettled;
            this.seen = seen;
            this.freed = freed;
        }

        void turn() {
            if (!going.contains(this)) {
                return; // the queue is closed
            }
            int left = STEPS_PER_TURN - forgetRefused(STEPS_PER_TURN);
            bringBack(left);
            if (receiver.held().first() != null || receiver.hasRefused()) {
                home.get().executeAfterInput(this::turn);
                return;
            }
            going.remove(this);
            if (freed) { // its groups, or its place as the only one, are free
                receivers.all().forEach(one -> one.scan().forget());
            }
            course.serving().serveAll();
        }

        private int forgetRefused(int most) {
            List<QueueEntry> some = receiver.takeRefused(most);
            for (QueueEntry entry : some) {
                entry.forget(receiver);
                waiting.forget(entry);
            }
            return some.size();
        }

        /** The last one first: each is put before it then. */
        private void bringBack(int most) {
            List<QueueEntry> some = new ArrayList<>();
            QueueEntry next = receiver.held().first();
            while (next != null && some.size() < most) {
                some.add(next);
                next = next.next;
            }
            some.sort(
                    Comparator.comparingLong((QueueEntry entry) -> entry.order).reversed());
            for (QueueEntry entry : some) {
                boolean maybeSeen = entry.deliveryNumber <= seen;
                entry.redelivered |= maybeSeen;
                course.settle(entry, receiver, maybeSeen ? unsettled : Settlement.RELEASED, null);
            }
        }
    }
}
