package dev.avocet.ha.role;

import java.time.Duration;

/** Whether a follower waits for the word of the leader that it may give its store up. */
final class Renewal {
    /** After so long without an answer the store stays. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private boolean open;
    private long begunNs;

    void begin(long nowNs) {
        open = true;
        begunNs = nowNs;
    }

    void end() {
        open = false;
    }

    boolean isOpen() {
        return open;
    }

    boolean isLate(long nowNs) {
        return nowNs - begunNs > PATIENCE.toNanos();
    }

    /** Returns why a node may not give its store up; empty when the leader is asked. */
    static String refusal(PairState state, boolean isHeard, boolean isAboutToLead) {
        boolean isLed = state.known().leader().equals(state.partner());
        if (!state.register.isKnown() || !isLed || !isHeard || isAboutToLead) {
            return "the active node, from which it gets everything then, does not answer this node: look at the log of"
                    + " both for what keeps them from each other";
        }
        if (state.settings.minInSync() > 1 && state.known().isInSync(state.self())) {
            return "both nodes have to have what is acknowledged (MinInSync " + state.settings.minInSync()
                    + "): set MinInSync of HighAvailability to 1 first";
        }
        return "";
    }
}
