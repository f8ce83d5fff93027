package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The consumers of a queue and whose turn it is. Home loop; {@link #count} any thread. */
final class Consumers {
    private static final Consumer[] NONE = {};

    /** Those below {@link #ready} can take a message, the others have said that they are busy. Written on the home loop only. */
    private volatile Consumer[] all = NONE;

    private int ready;
    private int next;

    int count() {
        return all.length;
    }

    boolean anyReady() {
        return ready > 0;
    }

    /** Offers a message to the ready consumers in turn. */
    Delivery hand(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
        while (ready > 0) {
            if (next >= ready) {
                next = 0;
            }
            int position = next;
            Delivery delivery = all[position].deliver(source, message, options, reference);
            if (delivery != Delivery.BUSY) {
                next = position + 1;
                return delivery;
            }
            if (position < ready) {
                swap(position, --ready);
            }
        }
        return Delivery.BUSY;
    }

    /** The consumer of a queue that has exactly one, if it takes the run now. */
    @Nullable Consumer takerOf(MessageRun run) {
        Consumer consumer = onlyReady();
        return consumer != null && run.size() <= consumer.runRoom(run.qos()) ? consumer : null;
    }

    /** The consumer of a queue that has exactly one, if it is ready. */
    @Nullable Consumer onlyReady() {
        Consumer[] present = all;
        return present.length == 1 && ready == 1 ? present[0] : null;
    }

    /** A consumer that was busy can take messages again; false when it was not busy. */
    boolean makeReady(Consumer consumer) {
        for (int i = ready; i < all.length; i++) {
            if (all[i] == consumer) {
                swap(i, ready++);
                return true;
            }
        }
        return false;
    }

    /** Adds a consumer that is ready. */
    void add(Consumer consumer) {
        Consumer[] more = new Consumer[all.length + 1];
        System.arraycopy(all, 0, more, 1, all.length);
        more[0] = consumer;
        all = more;
        ready++;
    }

    /** Takes a consumer away; false when it was none. */
    boolean remove(Consumer consumer) {
        for (int i = 0; i < all.length; i++) {
            if (all[i] == consumer) {
                List<Consumer> rest = new ArrayList<>(List.of(all));
                rest.remove(i);
                all = rest.isEmpty() ? NONE : rest.toArray(new Consumer[0]);
                ready -= i < ready ? 1 : 0;
                next = 0;
                return true;
            }
        }
        return false;
    }

    void clear() {
        all = NONE;
        ready = 0;
    }

    /** The consumer of a queue that has exactly one. */
    @Nullable Consumer only() {
        Consumer[] present = all;
        return present.length == 1 ? present[0] : null;
    }

    private void swap(int a, int b) {
        Consumer kept = all[a];
        all[a] = all[b];
        all[b] = kept;
    }
}
