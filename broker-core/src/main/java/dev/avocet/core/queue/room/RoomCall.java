package dev.avocet.core.queue.room;

import dev.avocet.core.loop.IoLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * Publishers that are called together, in their order: each loop has one task for all of its own, however many they
 * are. They count as called until that task has seen them, whatever each of them does, so none has to answer by itself.
 */
final class RoomCall {
    /** Publishers that a loop sees in one turn. */
    private static final int PER_TURN = 256;

    private final QueueRoom room;
    private final long number;
    private final List<RoomWaiter> waiters;
    private final List<Part> parts = new ArrayList<>(1);

    RoomCall(QueueRoom room, long number, List<RoomWaiter> waiters) {
        this.room = room;
        this.number = number;
        this.waiters = waiters;
    }

    /** From 1; a queue gives none twice. */
    long number() {
        return number;
    }

    /** Who is called, in order. */
    List<RoomWaiter> waiters() {
        return waiters;
    }

    /** Calls them. Any thread, without the lock of their line. */
    void begin() {
        for (RoomWaiter waiter : waiters) {
            IoLoop loop = waiter.loop();
            if (loop == null) {
                waiter.call();
            } else {
                partOf(loop).waiters.add(waiter);
            }
        }
        for (Part part : parts) {
            part.loop.execute(part);
        }
    }

    private Part partOf(IoLoop loop) {
        for (Part part : parts) {
            if (part.loop == loop) {
                return part;
            }
        }
        Part made = new Part(loop, parts.isEmpty() ? waiters.size() : 1);
        parts.add(made);
        return made;
    }

    /** The publishers of one loop. */
    private final class Part implements Runnable {
        private final IoLoop loop;
        private final List<RoomWaiter> waiters;
        private int done;

        Part(IoLoop loop, int expected) {
            this.loop = loop;
            this.waiters = new ArrayList<>(expected);
        }

        @Override
        public void run() {
            int from = done;
            int until = Math.min(waiters.size(), from + PER_TURN);
            try {
                while (done < until) {
                    RoomWaiter waiter = waiters.get(done);
                    done++;
                    waiter.takeTurn(RoomCall.this);
                }
            } finally { // that one of them has failed is not the fault of the others
                if (done < waiters.size()) {
                    loop.executeAfterInput(this);
                }
                room.endCalls(done - from);
            }
        }
    }
}
