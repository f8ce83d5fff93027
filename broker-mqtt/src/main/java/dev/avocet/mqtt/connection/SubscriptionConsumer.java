package dev.avocet.mqtt.connection;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.Outpost;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.Delivery;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.topic.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a connected client: takes messages from its queue for the connection. Owned by the connection's
 * loop.
 */
final class SubscriptionConsumer implements Consumer {
    private final Deliveries deliveries;
    private Subscription subscription;
    private @Nullable Outpost outpost;
    private @Nullable DeliverySource busySource;

    SubscriptionConsumer(Deliveries deliveries, Subscription subscription) {
        this.deliveries = deliveries;
        this.subscription = subscription;
    }

    Subscription subscription() {
        return subscription;
    }

    /** The client has changed its options. */
    void subscription(Subscription changed) {
        this.subscription = changed;
    }

    /** Begins to take messages. */
    void attach() {
        var loop = deliveries.loop();
        if (subscription.queue().home() == loop) {
            subscription.queue().attach(this);
        } else {
            outpost = new Outpost(subscription.queue(), this, loop);
            outpost.open();
        }
    }

    /** The client has unsubscribed. What it was sent it still completes [MQTT-3.10.4-3]. */
    void unsubscribe() {
        if (busySource != null) {
            deliveries.leaveLine(this);
        }
        deliveries.forget(subscription.queue());
        if (outpost != null) {
            outpost.close(List.of());
            outpost = null;
        } else {
            subscription.queue().detach(this);
        }
    }

    /**
     * The connection ends. What a shared subscription has sent and the client has not acknowledged goes to another
     * member.
     */
    void detach() {
        if (outpost != null) {
            outpost.close(deliveries.takeBack(outpost));
            outpost = null;
            return;
        }
        subscription.queue().detach(this);
        if (subscription.isShared()) {
            subscription.queue().giveBack(deliveries.takeBack(subscription.queue()));
        }
    }

    @Override
    public Delivery deliver(DeliverySource source, Message message, @Nullable DeliveryOptions options, long reference) {
        DeliveryOptions how = DeliveryOptions.orOwn(options, subscription.options());
        return deliveries.deliver(this, source, message, how, reference);
    }

    @Override
    public int runRoom(QualityOfService qos) {
        return deliveries.runRoom(qos, subscription.options());
    }

    @Override
    public void deliver(DeliverySource source, MessageRun run) {
        deliveries.deliver(source, run, subscription.options());
    }

    @Override
    public void onNeverAcknowledging() {
        deliveries.onNeverAcknowledging();
    }

    /** Notes where to ask again; false when that was noted before. */
    boolean becomeBusy(DeliverySource source) {
        boolean wasFree = busySource == null;
        busySource = source;
        return wasFree;
    }

    void becomeFree() {
        DeliverySource source = busySource;
        busySource = null;
        if (source != null) {
            source.resume(this);
        }
    }
}
