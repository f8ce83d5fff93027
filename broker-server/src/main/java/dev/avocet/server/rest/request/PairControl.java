package dev.avocet.server.rest.request;

import dev.avocet.server.admin.PairHealth;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pair that this process is one of, for administrators. Any thread. */
public interface PairControl {
    /** How it is. */
    PairHealth state();

    /**
     * What the command line of this node says, by the names of the properties of the object HighAvailability. It comes
     * before what the configuration says.
     */
    Map<String, Object> ofNode();

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

    /**
     * Has this node, a standby, become active although it may lack what was acknowledged, where the active node does
     * not answer it. Returns before it is active.
     *
     * @return why that is refused; empty otherwise
     */
    String promote();

    /**
     * Has this node, a standby, put its store aside and get everything from the active node. Blocks until the store is
     * aside, for a minute at most.
     */
    Resync resync();

    /**
     * What has become of that.
     *
     * @param refused why the store stays; empty otherwise
     * @param aside where it is now
     */
    record Resync(String refused, String aside) {}
}
