package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.queue.transit.RoutedMessage;
import dev.avocet.core.queue.transit.Unsettled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a queue with several consumers and one of them that lives on another loop. At the queue's home it is a
 * consumer with credit; on the consumer's loop it is where the messages come from. Messages cross in one batch per home
 * batch, credit, and what was settled of the store's, comes back in one task per consumer batch.
 *
 * <p>{@code deliver} belongs to the queue's home loop, {@code resume}, {@code open} and {@code close} to the
 * consumer's, and each side touches only its own fields.
 */
public final class Outpost implements Consumer, DeliverySource {
    /** Messages that may be on their way to a consumer at a time: enough for a loop to be busy while credit returns. */
    private static final int WINDOW = 256;

    private static final int FIRST_SETTLED = 16;
    private static final long[] NOTHING_SETTLED = {};

    private final SubscriptionQueue queue;
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
    /** Stored references that are over and of which the queue has not heard. */
    private long[] settled = NOTHING_SETTLED;

    private int settledCount;
    private boolean returnScheduled;
    private boolean closed;

    public Outpost(SubscriptionQueue queue, Consumer consumer, IoLoop consumerLoop) {
        this.queue = queue;
        this.consumer = consumer;
        this.consumerLoop = consumerLoop;
    }

    /** Attaches to the queue. */
    public void open() {
        queue.home().execute(() -> queue.attach(this));
    }

    /**
     * Detaches from the queue; what was not yet sent to the client goes back to it, with what is on its way now, in its
     * order.
     *
     * @param unsettled what the consumer had in flight and will not complete, in order; goes back before the rest
     */
    public void close(List<Unsettled> unsettled) {
        closed = true;
        back.addAll(unsettled);
        arrived.forEach(entry -> back.add(RoutedMessage.unsettledOf(entry)));
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
    public void onQueueClosed() {
        consumerLoop.execute(consumer::onQueueClosed);
    }

    @Override
    public void resume(Consumer ready) {
        handOn();
    }

    @Override
    public void settle(Message message, long reference) {
        if (reference == NOT_STORED || !consumerLoop.inLoop()) {
            queue.settle(message, reference); // a session may have moved on with what it has in flight
            return;
        }
        if (settledCount == settled.length) {
            settled = Arrays.copyOf(settled, Math.max(FIRST_SETTLED, settledCount * 2));
        }
        settled[settledCount++] = reference;
        scheduleReturn();
    }

    @Override
    public void settleUnstored(int messages) {
        queue.settleUnstored(messages);
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
            batch.forEach(entry -> back.add(RoutedMessage.unsettledOf(entry)));
            return;
        }
        arrived.addAll(batch);
        handOn();
    }

    private void handOn() {
        while (!arrived.isEmpty()) {
            Object entry = arrived.peek();
            Message message = RoutedMessage.messageOf(entry);
            long reference = RoutedMessage.referenceOf(entry);
            if (message.expires() && message.isExpired(consumerLoop.clock().nanoTime())) {
                consumerLoop.counters().increment(Counter.MESSAGES_EXPIRED);
                settle(message, reference);
            } else {
                Delivery delivery = consumer.deliver(this, message, RoutedMessage.optionsOf(entry), reference);
                if (delivery == Delivery.BUSY) {
                    return;
                }
                if (delivery == Delivery.SETTLED) {
                    settle(message, reference);
                }
            }
            arrived.poll();
            countCredit();
        }
    }

    private void countCredit() {
        creditToReturn++;
        scheduleReturn();
    }

    private void scheduleReturn() {
        if (!returnScheduled) {
            returnScheduled = true;
            consumerLoop.atBatchEnd(this::returnToQueue);
        }
    }

    private void returnToQueue() {
        int returned = creditToReturn;
        long[] references = settled;
        int count = settledCount;
        creditToReturn = 0;
        settled = NOTHING_SETTLED;
        settledCount = 0;
        returnScheduled = false;
        consumerLoop.post(queue.home(), () -> {
            if (count > 0) {
                queue.settleStored(references, count);
            }
            boolean wasOut = credit == 0;
            credit += returned;
            if (wasOut && returned > 0) {
                queue.resume(this);
            }
        });
    }
}
