package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.policy.Limits;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * Goes through all sessions after policies have changed, so that their subscriptions follow. Each loop does its own,
 * some at a time. A session that moves meanwhile belongs to a client that has come back, and is looked at then.
 */
public final class LimitsRefresh implements Runnable {
    /** Sessions per turn, well under a millisecond. */
    private static final int TURN = 1_000;

    private final Subscriptions subscriptions;
    private final Iterator<ClientSession> sessions;
    private final IoLoop loop;

    private LimitsRefresh(Subscriptions subscriptions, Iterator<ClientSession> sessions, IoLoop loop) {
        this.subscriptions = subscriptions;
        this.sessions = sessions;
        this.loop = loop;
    }

    /** Begins, if the policies say something else than before. Any thread. */
    public static void begin(
            Collection<Limits> policies, Subscriptions subscriptions, SessionRegistry sessions, List<IoLoop> loops) {
        if (subscriptions.policies().update(policies)) {
            subscriptions.refreshSharedLimits();
            for (IoLoop loop : loops) {
                loop.execute(new LimitsRefresh(subscriptions, sessions.all().iterator(), loop));
            }
        }
    }

    @Override
    public void run() {
        for (int turn = 0; turn < TURN && sessions.hasNext(); turn++) {
            ClientSession session = sessions.next();
            if (session.home() == loop) {
                subscriptions.refreshLimits(session);
            }
        }
        if (sessions.hasNext()) {
            loop.executeAfterInput(this);
        }
    }
}
