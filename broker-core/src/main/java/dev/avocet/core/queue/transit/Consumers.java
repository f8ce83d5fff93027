package dev.avocet.core.queue.transit;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of a queue, which take turns in the order in which they came: one that is busy is passed over, and has
 * its old place when it is ready again. Home loop; {@link #count} any thread.
 */
public final class Consumers {
    private static final Consumer[] NONE = {};

    /** In the order in which they came. Written on the home loop only. */
    private volatile Consumer[] all = NONE;

    /** Those that have said that they are busy, by place; null as long as there was never more than one consumer. */
    private @Nullable BitSet busy;

    private int ready;
    private int next;

    /** How many are attached. Any thread. */
    public int count() {
        return all.length;
    }

    /** Whether any of them takes messages now. */
    public boolean anyReady() {
        return ready > 0;
    }

    /** Offers a message to the ready consumers in turn. */
    public Delivery hand(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
        while (ready > 0) {
            int place = nextReady();
            Consumer consumer = all[place];
            Delivery delivery = consumer.deliver(source, message, options, reference);
            if (delivery != Delivery.BUSY) {
                next = place + 1;
                return delivery;
            }
            makeBusy(place, consumer);
        }
        return Delivery.BUSY;
    }

    /** The consumer of a queue that has exactly one, if it takes the run now. */
    public @Nullable Consumer takerOf(MessageRun run) {
        Consumer consumer = onlyReady();
        return consumer != null && run.size() <= consumer.runRoom(run.qos()) ? consumer : null;
    }

    /** The consumer of a queue that has exactly one, if it is ready. */
    public @Nullable Consumer onlyReady() {
        Consumer[] present = all;
        return present.length == 1 && ready == 1 ? present[0] : null;
    }

    /** A consumer that was busy can take messages again; false when it was not busy. */
    public boolean makeReady(Consumer consumer) {
        int place = placeOf(consumer);
        if (place < 0 || isReady(place)) {
            return false;
        }
        ready++;
        if (busy != null) {
            busy.clear(place);
        }
        return true;
    }

    /** Adds a consumer that is ready; its turn comes after that of all others. */
    public void add(Consumer consumer) {
        int place = all.length;
        Consumer[] more = Arrays.copyOf(all, place + 1);
        more[place] = consumer;
        if (place > 0 && busy == null) {
            busy = new BitSet();
            busy.set(0, ready == 0);
        }
        all = more;
        ready++;
    }

    /** Takes a consumer away; false when it was none. */
    public boolean remove(Consumer consumer) {
        int place = placeOf(consumer);
        if (place < 0) {
            return false;
        }
        ready -= isReady(place) ? 1 : 0;
        Consumer[] present = all;
        Consumer[] rest = present.length == 1 ? NONE : Arrays.copyOf(present, present.length - 1);
        System.arraycopy(present, place + 1, rest, place, rest.length - place);
        if (busy != null) {
            for (int i = place; i < rest.length; i++) {
                busy.set(i, busy.get(i + 1));
            }
            busy.clear(rest.length);
        }
        all = rest;
        next -= place < next ? 1 : 0;
        return true;
    }

    /** Takes all away, and returns who was there. */
    public Consumer[] clear() {
        Consumer[] gone = all;
        all = NONE;
        busy = null;
        ready = 0;
        next = 0;
        return gone;
    }

    /** The consumer of a queue that has exactly one. */
    public @Nullable Consumer only() {
        Consumer[] present = all;
        return present.length == 1 ? present[0] : null;
    }

    /** The place of the ready consumer whose turn it is; there is one. */
    private int nextReady() {
        int place = next < all.length ? next : 0;
        BitSet passedOver = busy;
        if (passedOver != null) {
            place = passedOver.nextClearBit(place);
            if (place >= all.length) {
                place = passedOver.nextClearBit(0);
            }
        }
        return place;
    }

    /** Unless it has gone or come back while it was asked. */
    private void makeBusy(int place, Consumer consumer) {
        if (place < all.length && all[place] == consumer && isReady(place)) {
            ready--;
            if (busy != null) {
                busy.set(place);
            }
        }
    }

    private boolean isReady(int place) {
        return busy == null ? ready > 0 : !busy.get(place);
    }

    private int placeOf(Consumer consumer) {
        Consumer[] present = all;
        for (int i = 0; i < present.length; i++) {
            if (present[i] == consumer) {
                return i;
            }
        }
        return -1;
    }
}
