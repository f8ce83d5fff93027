package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.queue.FullBehavior;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;
import dev.avocet.core.topic.TopicFigures;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a run of messages to the queues of a route, target by target: those whose consumer reads, and takes every message in its own way,
 * take all of it at once. The others get its messages one by one, as if there were no runs; so whoever is slow holds nobody up and loses
 * what he would have lost.
 */
final class RunHandOver {
    private RunHandOver() {}

    /** False when a queue of the route may ask the publisher to wait before the run is over, which it can between two messages only. */
    static boolean isPossible(Route route, IoLoop loop) {
        for (RouteTarget target : route.targets()) {
            MessageQueue queue = target.queue();
            if (queue.limits().behavior() == FullBehavior.BACKPRESSURE && !(target.isPlain() && queue.takesRuns(loop))) {
                return false;
            }
        }
        return true;
    }

    static void handOver(MessageRun run, Route route, Publisher publisher, IoLoop loop) {
        List<RouteTarget> others = null;
        for (RouteTarget target : route.targets()) {
            if (!target.isPlain() || !target.queue().offer(run, loop)) {
                others = others == null ? new ArrayList<>() : others;
                others.add(target);
            }
        }
        for (TopicFigures monitor : route.monitors()) {
            monitor.countPublished(loop.index(), run.size());
        }
        if (others != null) {
            offerEach(run, route, others, publisher, loop);
        }
    }

    private static void offerEach(
            MessageRun run, Route route, List<RouteTarget> targets, Publisher publisher, IoLoop loop) {
        for (int i = 0; i < run.size(); i++) {
            Message message = run.get(i);
            long before = publisher.rejections();
            for (RouteTarget target : targets) {
                if (target.wants(message)) {
                    target.queue().offer(message, target.optionsFor(message), loop);
                }
            }
            publisher.noteRejections(route, before);
        }
    }
}
