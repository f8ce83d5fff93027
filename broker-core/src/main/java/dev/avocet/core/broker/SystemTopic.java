package dev.avocet.core.broker;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.topic.CachedRoute;
import dev.avocet.core.topic.Route;
import dev.avocet.core.topic.RouteTarget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A topic under {@code $SYS/} to which the broker itself publishes, at QoS 0 and never retained: who is not there or
 * has no room goes without, and the broker does not wait. A message is offered to each queue on the queue's own
 * loop, because there it passes to a consumer that is ready even while memory is so short that no queue takes anything.
 *
 * <p>Any thread may call any method.
 */
public final class SystemTopic {
    /** What begins the name of every topic of the broker's own. */
    public static final String PREFIX = "$SYS/";

    /** No client is equal to it. */
    private static final Object PUBLISHER = new Object();

    private final TopicName name;
    private final Function<TopicName, CachedRoute<Route>> router;
    private volatile CachedRoute<Route> route;

    SystemTopic(TopicName name, Function<TopicName, CachedRoute<Route>> router) {
        if (!name.text().startsWith(PREFIX)) {
            throw new IllegalArgumentException("a topic of the broker's own begins with " + PREFIX + ": " + name);
        }
        this.name = name;
        this.router = router;
        this.route = router.apply(name);
    }

    public TopicName name() {
        return name;
    }

    /** Whether a client has subscribed. Costs three reads while no subscription comes or goes. */
    public boolean hasSubscribers() {
        return targets().length > 0;
    }

    /**
     * Publishes a message.
     *
     * @param payload taken over; must not be changed afterwards
     * @return completes when every loop with a subscriber has passed it on, so that what the loop is told next happens
     *     after it
     */
    public CompletableFuture<Void> publish(byte[] payload) {
        Message message = new Message(
                name, QualityOfService.AT_MOST_ONCE, false, payload, MessageProperties.NONE, Message.NEVER, PUBLISHER);
        List<CompletableFuture<Void>> done = new ArrayList<>();
        byHome(targets())
                .forEach((loop, targets) ->
                        done.add(CompletableFuture.runAsync(() -> offer(message, targets, loop), loop::execute)));
        return CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0]));
    }

    private static void offer(Message message, List<RouteTarget> targets, IoLoop loop) {
        for (RouteTarget target : targets) {
            if (target.wants(message)) {
                target.queue().offer(message, target.optionsFor(message), loop);
            }
        }
    }

    private static Map<IoLoop, List<RouteTarget>> byHome(RouteTarget[] targets) {
        Map<IoLoop, List<RouteTarget>> byHome = new HashMap<>();
        for (RouteTarget target : targets) {
            byHome.computeIfAbsent(target.queue().home(), home -> new ArrayList<>())
                    .add(target);
        }
        return byHome;
    }

    private RouteTarget[] targets() {
        CachedRoute<Route> known = route;
        if (!known.isCurrent()) {
            known = router.apply(name);
            route = known;
        }
        return known.route().targets();
    }
}
