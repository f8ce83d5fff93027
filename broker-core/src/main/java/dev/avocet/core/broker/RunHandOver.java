package dev.avocet.core.broker;

import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;
import dev.avocet.core.topic.TopicFigures;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a run of messages to the queues of a route, target by target.
 *
 * <p>At QoS 1 all of them have room for it, or it is published message by message.
 *
 * <p>At QoS 0 those whose consumer reads, and takes every message in its own way, take all of it at once. The others
 * get its messages one by one, as if there were no runs; so a slow client holds no other one up and loses what he would
 * have lost.
 */
final class RunHandOver {
    private RunHandOver() {}

    /**
     * Whether a run of QoS 1 may go to the queues of a route in one piece at all, and is worth it: all are at home
     * here, and nothing has to be stored.
     */
    static boolean mayTakeWhole(Message message, Route route, IoLoop loop) {
        for (RouteTarget target : route.targets()) {
            MessageQueue queue = target.queue();
            if (queue.home() != loop
                    || target.qos() == QualityOfService.AT_MOST_ONCE
                    || !target.isPlain()
                    || StoredPublish.isStored(queue, message)) {
                return false;
            }
        }
        return route.targets().length > 0;
    }

    /**
     * Gives a run of QoS 1 to every queue of a route, for which {@link #mayTakeWhole} is true, or to none when one has
     * no room for all of it.
     */
    static boolean handOverWhole(MessageRun run, Route route, IoLoop loop) {
        if (!RouteRoom.takeWhole(run, route)) {
            return false;
        }
        for (RouteTarget target : route.targets()) {
            target.queue().put(run, loop);
        }
        countPublished(run, route, loop);
        return true;
    }

    private static void countPublished(MessageRun run, Route route, IoLoop loop) {
        for (TopicFigures monitor : route.monitors()) {
            monitor.countPublished(loop.index(), run.size());
        }
    }

    /**
     * False when a queue of the route may ask the publisher to wait before the run is over, which it can between two
     * messages only.
     */
    static boolean isPossible(MessageRun run, Route route, IoLoop loop) {
        for (RouteTarget target : route.targets()) {
            MessageQueue queue = target.queue();
            if (queue.limits().behavior() == FullBehavior.BACKPRESSURE
                    && !(target.isPlain() && queue.takes(run, loop))) {
                return false;
            }
        }
        return true;
    }

    static void handOver(MessageRun run, Route route, HandOver handOver, IoLoop loop) {
        List<RouteTarget> others = null;
        for (RouteTarget target : route.targets()) {
            if (!target.isPlain() || !target.queue().offer(run, loop)) {
                others = others == null ? new ArrayList<>() : others;
                others.add(target);
            }
        }
        countPublished(run, route, loop);
        if (others != null) {
            offerEach(run, route, others, handOver, loop);
        }
    }

    private static void offerEach(
            MessageRun run, Route route, List<RouteTarget> targets, HandOver handOver, IoLoop loop) {
        for (int i = 0; i < run.size(); i++) {
            Message message = run.get(i);
            long before = handOver.rejections();
            for (RouteTarget target : targets) {
                if (target.wants(message)) {
                    target.queue().offer(message, target.optionsFor(message), loop);
                }
            }
            handOver.noteRejections(route, before);
        }
    }
}
