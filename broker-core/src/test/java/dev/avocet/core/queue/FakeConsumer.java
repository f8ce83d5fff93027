package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.Unsettled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A consumer with as much room as the test gives it, which keeps all that it was given. */
public final class FakeConsumer implements Consumer {
    private final Delivery answer;
    private int room;
    private @Nullable DeliverySource busySource;
    private final List<Message> received = new ArrayList<>();
    private final List<@Nullable DeliveryOptions> receivedOptions = new ArrayList<>();
    private final Deque<Unsettled> unsettled = new ArrayDeque<>();
    private @Nullable DeliverySource source;
    private int neverAcknowledging;

    private FakeConsumer(Delivery answer, int room) {
        this.answer = answer;
        this.room = room;
    }

    /** One that acknowledges nothing by itself. */
    public static FakeConsumer acknowledging(int room) {
        return new FakeConsumer(Delivery.IN_FLIGHT, room);
    }

    /** One whose messages are over once they are sent. */
    public static FakeConsumer settling(int room) {
        return new FakeConsumer(Delivery.SETTLED, room);
    }

    @Override
    public Delivery deliver(DeliverySource from, Message message, @Nullable DeliveryOptions options, long reference) {
        source = from;
        if (room == 0) {
            busySource = from;
            return Delivery.BUSY;
        }
        room--;
        received.add(message);
        receivedOptions.add(options);
        if (answer == Delivery.IN_FLIGHT) {
            unsettled.add(new Unsettled(message, reference));
        }
        return answer;
    }

    @Override
    public void onNeverAcknowledging() {
        neverAcknowledging++;
    }

    /** More room, and the source is told if it was turned away before. */
    public void makeRoom(int more) {
        room += more;
        DeliverySource asked = busySource;
        busySource = null;
        if (asked != null) {
            asked.resume(this);
        }
    }

    /** Settles the oldest message that is not settled yet; false when there is none. */
    public boolean settleOne() {
        Unsettled oldest = unsettled.poll();
        if (oldest != null && source != null) {
            source.settle(oldest.message(), oldest.reference());
        }
        return oldest != null;
    }

    public void settleAll() {
        boolean settled = true;
        while (settled) {
            settled = settleOne();
        }
    }

    /** Gives up what it has not settled, in order. */
    public List<Unsettled> giveUp() {
        List<Unsettled> back = new ArrayList<>(unsettled);
        unsettled.clear();
        received.removeAll(back.stream().map(Unsettled::message).toList());
        return back;
    }

    public List<Message> received() {
        return received;
    }

    public List<@Nullable DeliveryOptions> receivedOptions() {
        return receivedOptions;
    }

    public List<String> texts() {
        return received.stream().map(Messages::text).toList();
    }

    public int unsettled() {
        return unsettled.size();
    }

    public int neverAcknowledging() {
        return neverAcknowledging;
    }
}
