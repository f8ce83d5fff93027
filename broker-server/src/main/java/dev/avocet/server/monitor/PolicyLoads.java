package dev.avocet.server.monitor;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import dev.avocet.core.queue.MessageQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What waits in the subscriptions that were made under each policy, as a walk over all of them has last found it. Any
 * thread; walks are begun by one.
 */
final class PolicyLoads {
    private final Broker broker;
    private volatile Map<ObjectKey, PolicyLoad> last = Map.of();
    private CompletableFuture<Void> walk = CompletableFuture.completedFuture(null);

    PolicyLoads(Broker broker) {
        this.broker = broker;
    }

    Map<ObjectKey, PolicyLoad> last() {
        return last;
    }

    /** Begins to look, unless an earlier look is not over. Never waits. */
    void refresh() {
        if (!walk.isDone()) {
            return;
        }
        List<Map<ObjectKey, PolicyLoad>> found = new ArrayList<>();
        List<CompletableFuture<Void>> walks = new ArrayList<>();
        for (IoLoop loop : broker.loops()) {
            Map<ObjectKey, PolicyLoad> ofLoop = new HashMap<>();
            found.add(ofLoop);
            walks.add(walk(loop, ofLoop));
        }
        walk = CompletableFuture.allOf(walks.toArray(new CompletableFuture<?>[0]))
                .thenRun(() -> last = sum(found));
    }

    private CompletableFuture<Void> walk(IoLoop loop, Map<ObjectKey, PolicyLoad> loads) {
        return LoopWalk.begin(
                        loop,
                        broker.subscriptions().shared(),
                        shared -> add(shared.subscription().queue(), loop, loads))
                .thenCompose(done -> LoopWalk.begin(loop, broker.sessions().all(), session -> {
                    if (session.home() == loop) {
                        session.subscriptions().forEach(subscription -> {
                            if (!subscription.isShared()) {
                                add(subscription.queue(), loop, loads);
                            }
                        });
                    }
                }));
    }

    private static void add(MessageQueue queue, IoLoop loop, Map<ObjectKey, PolicyLoad> loads) {
        ObjectKey policy = queue.limits().policy();
        if (policy != null && queue.home() == loop && !queue.isClosed()) {
            double percent = 100.0 * queue.depth() / queue.limits().maxMessages();
            loads.merge(policy, new PolicyLoad(1, queue.depth(), percent), PolicyLoad::plus);
        }
    }

    private static Map<ObjectKey, PolicyLoad> sum(List<Map<ObjectKey, PolicyLoad>> found) {
        Map<ObjectKey, PolicyLoad> sum = new HashMap<>();
        found.forEach(loads -> loads.forEach((policy, load) -> sum.merge(policy, load, PolicyLoad::plus)));
        return Map.copyOf(sum);
    }
}
