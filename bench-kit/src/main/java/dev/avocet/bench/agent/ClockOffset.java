package dev.avocet.bench.agent;

import java.util.Comparator;
import java.util.List;

/**
 * How far an agent's clock is from the controller's.
 *
 * @param aheadNs what the agent has to add to its clock to have the controller's
 * @param uncertaintyNs by how much that may be wrong, either way
 */
record ClockOffset(long aheadNs, long uncertaintyNs) {
    static final ClockOffset SAME = new ClockOffset(0, 0);

    /** A question and its answer; in between, at an unknown moment, the agent looked at its clock. */
    record Exchange(long sentNs, long agentNs, long receivedNs) {
        long roundTripNs() {
            return receivedNs - sentNs;
        }
    }

    /** By the fastest of the exchanges: its answer came from the agent within half a round trip of its middle. */
    static ClockOffset of(List<Exchange> exchanges) {
        Exchange fastest = exchanges.stream()
                .min(Comparator.comparingLong(Exchange::roundTripNs))
                .orElseThrow(() -> new IllegalArgumentException("no exchange"));
        long halfNs = fastest.roundTripNs() / 2;
        return new ClockOffset(fastest.sentNs() + halfNs - fastest.agentNs(), halfNs + 1);
    }

    /** Whether both may be one clock. */
    boolean mayBeNone() {
        return Math.abs(aheadNs) <= uncertaintyNs;
    }

    /** This one, with what came of it by the end of the run. */
    ClockOffset until(ClockOffset end) {
        long driftNs = Math.abs(end.aheadNs - aheadNs);
        return new ClockOffset(aheadNs, Math.max(uncertaintyNs, driftNs + end.uncertaintyNs));
    }
}
