package dev.avocet.core.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LoopWalk;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Looks at every session for an administrator, each on its home loop. A session that moves to another loop
 * meanwhile may be seen twice or not at all; those that keep what the configuration wants are left out.
 */
public final class SessionWalk {
    private SessionWalk() {}

    /**
     * Begins. Any thread.
     *
     * @param visitor is called on every loop, so by several threads at a time
     * @return completes when all have been seen, or as the visitor failed
     */
    public static CompletableFuture<Void> over(
            SessionRegistry sessions, List<IoLoop> loops, Consumer<ClientSession> visitor) {
        return CompletableFuture.allOf(loops.stream()
                .map(loop -> LoopWalk.begin(loop, sessions.all(), session -> visit(session, loop, visitor)))
                .toArray(CompletableFuture<?>[]::new));
    }

    private static void visit(ClientSession session, IoLoop loop, Consumer<ClientSession> visitor) {
        if (session.home() == loop && !session.hasEnded() && !isBrokersOwn(session.clientId())) {
            visitor.accept(session);
        }
    }

    /** Whether a session of that name keeps what the configuration wants. */
    public static boolean isBrokersOwn(String clientId) {
        return clientId.startsWith(ClientSession.KEEPER_PREFIX);
    }
}
