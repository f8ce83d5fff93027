package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import dev.avocet.core.policy.Limits;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Goes through all sessions after policies have changed, so that their subscriptions follow. Each loop does its own,
 * some at a time. A session that moves meanwhile belongs to a client that has come back, and is looked at then.
 */
public final class LimitsRefresh {
    private LimitsRefresh() {}

    /** Begins, if the policies say something else than before. Any thread. */
    public static void begin(
            Collection<Limits> policies, Subscriptions subscriptions, SessionRegistry sessions, List<IoLoop> loops) {
        if (subscriptions.policies().update(policies)) {
            subscriptions.refreshSharedLimits();
            for (IoLoop loop : loops) {
                CompletableFuture<Void> unused = LoopWalk.begin(loop, sessions.all(), session -> {
                    if (session.home() == loop) {
                        subscriptions.refreshLimits(session);
                    }
                });
            }
        }
    }
}
