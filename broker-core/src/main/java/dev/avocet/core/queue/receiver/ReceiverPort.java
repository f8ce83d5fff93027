package dev.avocet.core.queue.receiver;

import dev.avocet.core.loop.IoLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's end of a receiver: gathers what goes to the queue, and hands on what comes from it. The consumer's
 * loop.
 */
public final class ReceiverPort implements QueueReceiver {
    private static final int MAX_DESCRIPTION_LENGTH = 1_000;

    private final ReceiverHost queue;
    private final IoLoop loop;
    private final QueueConsumer consumer;
    private final Receiver receiver;

    private Settlements settled = new Settlements();
    private int credit;
    private boolean revoke;
    private boolean drain;
    private boolean scheduled;
    private boolean ended;
    /** Deliveries that the consumer has got. */
    private long seen;

    /** @param loop the consumer's, on which all of this is called */
    public ReceiverPort(ReceiverHost queue, ReceiverOptions options, IoLoop loop, QueueConsumer consumer) {
        this.queue = queue;
        this.loop = loop;
        this.consumer = consumer;
        this.receiver = new Receiver(options, this, loop);
    }

    /** Tells the queue of the receiver. The consumer's loop. */
    public void open() {
        assert loop.inLoop() : queue + " received from by another thread than the receiver's";
        loop.post(queue.home(), () -> queue.attach(receiver));
    }

    @Override
    public void grant(int more) {
        credit = (int) Math.min(Integer.MAX_VALUE, (long) credit + more);
        schedule();
    }

    @Override
    public void revoke() {
        revoke = true;
        credit = 0;
        schedule();
    }

    @Override
    public void drain() {
        drain = true;
        schedule();
    }

    @Override
    public void settle(QueueDelivery delivery, Settlement settlement, @Nullable String description) {
        if (settlement == Settlement.ACCEPTED) {
            settled.accepted(delivery.reference());
        } else {
            boolean tooLong = description != null && description.length() > MAX_DESCRIPTION_LENGTH;
            String its = tooLong ? description.substring(0, MAX_DESCRIPTION_LENGTH) : description;
            settled.add(new Settlements.Other(delivery.reference(), delivery.deliveryCount(), settlement, its));
        }
        schedule();
    }

    @Override
    public void leaveToTransaction(QueueDelivery delivery) {
        settled.add(new Settlements.Other(delivery.reference(), delivery.deliveryCount(), null, null));
        schedule();
    }

    @Override
    public void close(Settlement unsettled) {
        assert loop.inLoop() : queue + " left by another thread than the receiver's";
        if (!ended) {
            ended = true;
            ReceiverRequest last = takeRequest();
            long got = seen;
            loop.post(queue.home(), () -> {
                queue.apply(receiver, last);
                queue.detach(receiver, unsettled, got);
            });
        }
    }

    /** The queue serves the receiver from now on. The consumer's loop. */
    public void onAttached() {
        if (!ended) {
            consumer.onAttached();
        }
    }

    void onDeliveries(List<QueueDelivery> batch) {
        for (QueueDelivery delivery : batch) {
            if (ended) {
                return; // the queue takes back what was not seen
            }
            seen++;
            consumer.onDelivery(delivery);
        }
    }

    void onDrained() {
        if (!ended) {
            consumer.onDrained();
        }
    }

    /** The queue has ended the receiver. The consumer's loop. */
    public void onEnded(ReceiverEnd reason) {
        if (!ended) {
            ended = true;
            consumer.onEnded(reason);
        }
    }

    private void schedule() {
        assert loop.inLoop() : queue + " used by another thread than the receiver's";
        if (!scheduled && !ended) {
            scheduled = true;
            loop.atBatchEnd(this::send);
        }
    }

    private void send() {
        scheduled = false;
        if (!ended) {
            ReceiverRequest request = takeRequest();
            loop.post(queue.home(), () -> queue.apply(receiver, request));
        }
    }

    private ReceiverRequest takeRequest() {
        ReceiverRequest request = new ReceiverRequest(settled, revoke, credit, drain);
        settled = new Settlements();
        revoke = false;
        credit = 0;
        drain = false;
        return request;
    }
}
