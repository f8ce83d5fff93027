package dev.avocet.ha.role;

import dev.avocet.ha.coordination.Register;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The wish of an administrator that a follower leads by force, until the register was read. Thread of the pair. */
final class Forcing {
    /** Then the coordinator does not answer, and the wish is forgotten. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final PairState state;

    /** What the register said at the time of the wish. */
    private @Nullable Register from;

    private long askedNs;
    private long reachedNs;

    Forcing(PairState state) {
        this.state = state;
        reachedNs = state.nowNs() - timeoutNs();
    }

    private long timeoutNs() {
        return state.settings.heartbeatTimeout().toNanos();
    }

    /** A leader was heard, answered or not, or there is a new link, on which one may be heard. */
    void reached() {
        reachedNs = state.nowNs();
    }

    /** @param heardNs when a leader was answered */
    boolean isAllowed(long heardNs) {
        return state.rules.mayForce(state.nowNs() - Math.max(heardNs, reachedNs), timeoutNs());
    }

    /**
     * Returns why the wish is refused; empty otherwise.
     *
     * @param heardNs when a leader was answered
     */
    String refusal(boolean isAway, boolean isAboutToLead, boolean mayPromote, long heardNs) {
        Register known = state.known();
        if (!state.register.isKnown() || known.revision() == 0) {
            return "this node does not know the register of the pair: see that it reaches the coordinator";
        }
        if (isAway) {
            return "this node is paused: resume it first; if it is in sync, it takes over by itself then";
        }
        if (isAboutToLead || isOpen()) {
            return "this node is about to become active: look at its role";
        }
        if (mayPromote) {
            return "this node has everything that was acknowledged, and becomes active by itself where the other one"
                    + " does not answer: to exchange the roles ask the active node to switch";
        }
        if (!state.rules.mayForceStore(known, state.log.storeId())) {
            return "the store of this node is not that of the pair, which is " + known.storeId()
                    + ": it has nothing of what the pair has acknowledged";
        }
        if (!isAllowed(heardNs)) {
            return "the active node, " + known.leader() + ", answers this node: ask it to switch once both are in sync";
        }
        return "";
    }

    void begin() {
        from = state.known();
        askedNs = state.nowNs();
        state.register.read(askedNs);
    }

    boolean isOpen() {
        return from != null;
    }

    void tick() {
        if (state.nowNs() - askedNs > PATIENCE.toNanos()) {
            from = null;
        }
    }

    /** The register was read. Returns whether there was a wish, and the register says what it said then. */
    boolean settle() {
        boolean isUnchanged = state.known().equals(from);
        from = null;
        return isUnchanged;
    }
}
