package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a queue with several consumers and one of them that lives on another loop. At the queue's home it is a consumer
 * with credit; on the consumer's loop it is where the messages come from. Messages cross in one batch per home batch, credit comes
 * back in one task per consumer batch.
 *
 * <p>{@code deliver} belongs to the queue's home loop, {@code resume}, {@code open} and {@code close} to the consumer's, and each
 * side touches only its own fields.
 */
public final class Outpost implements Consumer, DeliverySource {
    /** Messages that may be on their way to a consumer at a time: enough for a loop to be busy while credit returns. */
    private static final int WINDOW = 256;

    private final MessageQueue queue;
    private final Consumer consumer;
    private final IoLoop consumerLoop;

    // the queue's home loop
    private int credit = WINDOW;
    private List<Object> outgoing = new ArrayList<>();

    // the consumer's loop
    private final Deque<Object> arrived = new ArrayDeque<>();
    /** What goes back to the queue once the outpost is closed and everything that was on its way has come. */
    private final List<Unsettled> back = new ArrayList<>(0);

    private int creditToReturn;
    private boolean returnScheduled;
    private boolean closed;

    public Outpost(MessageQueue queue, Consumer consumer, IoLoop consumerLoop) {
        this.queue = queue;
        this.consumer = consumer;
        this.consumerLoop = consumerLoop;
    }

    /** Attaches to the queue. */
    public void open() {
        queue.home().execute(() -> queue.attach(this));
    }

    /**
     * Detaches from the queue; what was not yet sent to the client goes back to it, with what is on its way now, in its order.
     *
     * @param unsettled what the consumer had in flight and will not complete, in order; goes back before the rest
     */
    public void close(List<Unsettled> unsettled) {
        closed = true;
        back.addAll(unsettled);
        arrived.forEach(entry -> back.add(MessageQueue.unsettledOf(entry)));
        arrived.clear();
        queue.home().execute(() -> {
            queue.detach(this);
            queue.home().atBatchEnd(this::sendLast);
        });
    }

    /** Behind the last batch: when this has arrived nothing is on its way any longer. */
    private void sendLast() {
        queue.home().post(consumerLoop, () -> {
            List<Unsettled> all = List.copyOf(back);
            queue.home().execute(() -> queue.giveBack(all));
        });
    }

    @Override
    public Delivery deliver(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
        if (credit == 0) {
            return Delivery.BUSY;
        }
        credit--;
        if (outgoing.isEmpty()) {
            queue.home().atBatchEnd(this::sendBatch);
        }
        outgoing.add(RoutedMessage.entry(message, options, reference));
        return Delivery.IN_FLIGHT;
    }

    @Override
    public void onNeverAcknowledging() {
        consumerLoop.execute(consumer::onNeverAcknowledging);
    }

    @Override
    public void resume(Consumer ready) {
        handOn();
    }

    @Override
    public void settle(Message message, long reference) {
        queue.settle(message, reference);
    }

    @Override
    public long durableId() {
        return queue.durableId();
    }

    private void sendBatch() {
        List<Object> batch = outgoing;
        outgoing = new ArrayList<>();
        queue.home().post(consumerLoop, () -> receive(batch));
    }

    private void receive(List<Object> batch) {
        if (closed) {
            batch.forEach(entry -> back.add(MessageQueue.unsettledOf(entry)));
            return;
        }
        arrived.addAll(batch);
        handOn();
    }

    private void handOn() {
        while (!arrived.isEmpty()) {
            Object entry = arrived.peek();
            Message message = MessageQueue.messageOf(entry);
            long reference = MessageQueue.referenceOf(entry);
            if (message.expires() && message.isExpired(consumerLoop.clock().nanoTime())) {
                queue.expire(message, reference, consumerLoop);
            } else {
                Delivery delivery = consumer.deliver(this, message, MessageQueue.optionsOf(entry), reference);
                if (delivery == Delivery.BUSY) {
                    return;
                }
                if (delivery == Delivery.SETTLED) {
                    queue.settle(message, reference);
                }
            }
            arrived.poll();
            countCredit();
        }
    }

    private void countCredit() {
        creditToReturn++;
        if (!returnScheduled) {
            returnScheduled = true;
            consumerLoop.atBatchEnd(this::returnCredit);
        }
    }

    private void returnCredit() {
        int returned = creditToReturn;
        creditToReturn = 0;
        returnScheduled = false;
        consumerLoop.post(queue.home(), () -> {
            boolean wasOut = credit == 0;
            credit += returned;
            if (wasOut) {
                queue.resume(this);
            }
        });
    }
}
