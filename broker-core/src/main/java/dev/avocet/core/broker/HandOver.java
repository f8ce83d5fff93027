package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.publish.PublishCompletion;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;
import dev.avocet.core.topic.TopicFigures;
import java.util.List;

/**
 * Gives a publisher's messages to the queues that have granted room, and counts what became of them. Owned by the
 * publisher's loop.
 */
final class HandOver {
    private final Retaining retaining;
    private final IoLoop loop;
    private final PublishCompletion completion;

    HandOver(Retaining retaining, IoLoop loop, PublishCompletion completion) {
        this.retaining = retaining;
        this.loop = loop;
        this.completion = completion;
    }

    /** Gives a message of which nothing is stored to every queue of the route, and retains it if that was asked for. */
    PublishOutcome give(Message message, Route route) {
        long before = rejections();
        boolean mayBeLost = message.qos() == QualityOfService.AT_MOST_ONCE;
        for (RouteTarget target : route.targets()) {
            if (!mayBeLost && RouteRoom.mustTake(target, message)) {
                target.queue().put(message, target.optionsFor(message), loop);
            } else if (target.wants(message)) {
                target.queue().offer(message, target.optionsFor(message), loop);
            }
        }
        PublishOutcome outcome = retaining.outcome(message, null, 0, route.matchCount(), loop);
        onTaken(route, before);
        return outcome;
    }

    /**
     * What the loop's queues have refused up to now: what comes on top of that while a message is handed over is
     * refusals of that one.
     */
    long rejections() {
        return loop.counters().get(Counter.MESSAGES_REJECTED);
    }

    /**
     * A message was given to its queues.
     *
     * @param before {@link #rejections} before that
     */
    void onTaken(Route route, long before) {
        for (TopicFigures monitor : route.monitors()) {
            monitor.countPublished(loop.index());
        }
        noteRejections(route, before);
    }

    /** The same for one that is counted elsewhere. */
    void noteRejections(Route route, long before) {
        long rejections = rejections() - before;
        if (rejections > 0) {
            onPassedOver(route, rejections);
        }
    }

    /** A message is taken, and full queues go without it. */
    void onPassedOver(Route route, List<MessageQueue> queues) {
        if (!queues.isEmpty()) {
            queues.forEach(queue -> queue.countRejected(loop));
            onPassedOver(route, queues.size());
        }
    }

    private void onPassedOver(Route route, long subscriptions) {
        completion.onPassedOver();
        for (TopicFigures monitor : route.monitors()) {
            monitor.countRejected(loop.index(), subscriptions);
        }
    }

    /** A message is refused, as a queue has no room for it. */
    void onFull(Message message, Route route, MessageQueue queue) {
        queue.countRejected(loop);
        completion.onFull(message, queue);
        for (TopicFigures monitor : route.monitors()) {
            monitor.countRejected(loop.index(), 1);
        }
        countRefused(route);
    }

    /** A message is refused as a whole. */
    void countRefused(Route route) {
        loop.counters().increment(Counter.PUBLISHES_REFUSED);
        for (TopicFigures monitor : route.monitors()) {
            monitor.countFailed(loop.index());
        }
    }
}
