package dev.avocet.core.trace;

import dev.avocet.core.config.value.TraceComponent;
import dev.avocet.core.config.value.TraceLevels;
import dev.avocet.core.config.value.TraceSelection;
import dev.avocet.core.security.login.ClientOrigin;

/**
 * What is traced. Immutable.
 *
 * @param everybody levels for every connection
 * @param selected levels for the selected ones, where they are higher
 * @param payloadBytes how many bytes of a payload are shown at most
 */
public record TraceRules(TraceLevels everybody, TraceLevels selected, TraceSelection selection, int payloadBytes) {
    /** Nothing is traced. */
    public static final TraceRules NONE = new TraceRules(TraceLevels.NONE, TraceLevels.NONE, TraceSelection.NONE, 0);

    /** How much is traced of the packets of a connection. */
    int level(TraceComponent protocol, String clientId, ClientOrigin origin) {
        int level = everybody.of(protocol);
        return selection.matches(origin.endpoint(), clientId, origin.address())
                ? Math.max(level, selected.of(protocol))
                : level;
    }
}
