package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.store.write.EntryAction;
import dev.avocet.core.store.write.StoreWriter;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;

/**
 * A message for which every queue has granted room, on its way through the store. No client sees it before it is
 * durable; then all its queues get it and the publisher is answered. Owned by the publisher's loop.
 */
final class StoredPublish extends EntryAction {
    /** In place of a reference: the queue may go without the message. */
    private static final long MAY_MISS = -1;

    private final Retaining retaining;
    private final IoLoop loop;
    private final Message message;
    private final Route route;
    private final RouteTarget[] targets;
    private final long[] references;
    private final Publisher publisher;
    private final long token;

    private StoredPublish(
            Retaining retaining, IoLoop loop, Message message, Route route, Publisher publisher, long token) {
        this.retaining = retaining;
        this.loop = loop;
        this.message = message;
        this.route = route;
        this.targets = route.targets();
        this.references = new long[targets.length];
        this.publisher = publisher;
        this.token = token;
    }

    /** Whether anything of the message has to survive. */
    static boolean isNeeded(Message message, Route route) {
        if (message.retain()) {
            return true;
        }
        for (RouteTarget target : route.targets()) {
            if (isStored(target.queue(), message) && RouteRoom.mustTake(target, message)) {
                return true;
            }
        }
        return false;
    }

    static boolean isStored(MessageQueue queue, Message message) {
        return message.isPersistent() && queue.durableId() != DeliverySource.NOT_STORED;
    }

    /** Writes the message with a reference for each durable queue that takes it. */
    static void write(
            Retaining retaining, StoreWriter writer, Message message, Route route, Publisher publisher, long token) {
        StoredPublish publish = new StoredPublish(retaining, writer.loop(), message, route, publisher, token);
        publish.write(writer);
    }

    private void write(StoreWriter writer) {
        int durable = 0;
        for (int i = 0; i < targets.length; i++) {
            references[i] = referenceFor(targets[i]);
            durable += references[i] > 0 ? 1 : 0;
        }
        writer.beginMessage(message, message.retain(), durable);
        for (int i = 0; i < targets.length; i++) {
            if (references[i] > 0) {
                writer.target(targets[i].queue().durableId(), references[i], targets[i].optionsFor(message));
            }
        }
        writer.endMessage(message, durable + (isKept() ? 1 : 0), this);
    }

    private long referenceFor(RouteTarget target) {
        if (!RouteRoom.mustTake(target, message)) {
            return MAY_MISS;
        }
        MessageQueue queue = target.queue();
        return isStored(queue, message) ? queue.nextReference() : DeliverySource.NOT_STORED;
    }

    @Override
    protected void onCommitted(long position, int storedBytes) {
        HandOver handOver = publisher.handOver();
        long rejections = handOver.rejections();
        for (int i = 0; i < targets.length; i++) {
            RouteTarget target = targets[i];
            long reference = references[i];
            if (reference > 0) {
                target.queue().putStored(message, target.optionsFor(message), reference, position, storedBytes, loop);
            } else if (reference == DeliverySource.NOT_STORED) {
                target.queue().put(message, target.optionsFor(message), loop);
            } else if (target.wants(message)) {
                target.queue().offer(message, target.optionsFor(message), loop);
            }
        }
        handOver.onTaken(route, rejections);
        StoredMessage kept = message.retain() ? new StoredMessage(message, position, storedBytes) : null;
        publisher.onCommitted(token, retaining.outcome(message, kept, position, route.matchCount(), loop));
    }

    /** Whether it becomes its topic's retained message; an empty one only removes the earlier. */
    private boolean isKept() {
        return message.retain() && message.payload().length > 0;
    }
}
