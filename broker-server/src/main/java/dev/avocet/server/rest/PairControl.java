package dev.avocet.server.rest;

import dev.avocet.server.admin.PairHealth;
import org.jspecify.annotations.Nullable;

/** The pair that this process is one of, for administrators. Any thread. */
public interface PairControl {
    /** How it is. */
    PairHealth state();

    /** Why this node takes no change of the configuration, and which one does; null when this one does. */
    @Nullable String refusal();

    /**
     * Users, files or objects may be other ones than before, which the other node is to have. Blocks until it has them
     * on its disk, for ten seconds at most; not at all while it is not in sync.
     *
     * @return what keeps it from having them; null when it has
     */
    @Nullable String configurationChanged();

    /**
     * Hands the role of the active node over to the other one; returns before that is done.
     *
     * @return false when this node is not active, or the other one is not in sync
     */
    boolean switchOver();

    /**
     * Has this node, a standby, leave those in sync; it is not promoted before it is resumed. Returns before it has.
     *
     * @return why that is refused; empty otherwise
     */
    String pause();

    /**
     * Has this node, which is paused, follow again.
     *
     * @return why that is refused; empty otherwise
     */
    String resume();
}
