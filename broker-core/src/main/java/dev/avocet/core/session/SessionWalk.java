package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Looks at every session for somebody who administers, each on its home loop, and some at a time so that nobody's messages wait. A session
 * that moves to another loop meanwhile may be seen twice or not at all.
 */
public final class SessionWalk implements Runnable {
    /** Sessions per turn, well under a millisecond. */
    private static final int TURN = 500;

    private final Iterator<ClientSession> sessions;
    private final IoLoop loop;
    private final Consumer<ClientSession> visitor;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private SessionWalk(Iterator<ClientSession> sessions, IoLoop loop, Consumer<ClientSession> visitor) {
        this.sessions = sessions;
        this.loop = loop;
        this.visitor = visitor;
    }

    /**
     * Begins. Any thread.
     *
     * @param visitor is called on every loop, so by several threads at a time
     * @return completes when all have been seen, or as the visitor failed
     */
    public static CompletableFuture<Void> over(
            SessionRegistry sessions, List<IoLoop> loops, Consumer<ClientSession> visitor) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (IoLoop loop : loops) {
            SessionWalk walk = new SessionWalk(sessions.all().iterator(), loop, visitor);
            loop.execute(walk);
            all.add(walk.done);
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    @Override
    public void run() {
        try {
            for (int turn = 0; turn < TURN && sessions.hasNext(); turn++) {
                ClientSession session = sessions.next();
                if (session.home() == loop && !session.hasEnded()) {
                    visitor.accept(session);
                }
            }
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
            return;
        }
        if (sessions.hasNext()) {
            loop.executeAfterInput(this);
        } else {
            done.complete(null);
        }
    }
}
