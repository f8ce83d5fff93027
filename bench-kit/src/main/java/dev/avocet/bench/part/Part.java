package dev.avocet.bench.part;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyRecorder;
import java.util.List;
import java.util.Map;

/**
 * One party's share of a run. One thread leads it: opens, starts, stops and closes it. {@link #tally},
 * {@link #connections} and {@link #othersUnderWay} may be called by any thread once it is open.
 */
public interface Part extends AutoCloseable {
    /** Connects everybody, receivers first; who is refused is counted in {@link #connections}. */
    void open();

    /**
     * Tells the receivers, before any client sends: what was meant to be sent before that moment is left over from
     * another run.
     */
    void expect(long startNs);

    /**
     * Begins to send.
     *
     * @param startNs when the schedule begins
     */
    void start(long startNs);

    /** Tells the senders to end; they finish what they have begun. */
    void stopSending();

    boolean isSendingOver();

    /**
     * Sends at another rate, while it is sending.
     *
     * @param messagesPerSecond of all parties together; 0 for none
     * @param sinceNs a moment that is a short time ago
     */
    void changeRate(double messagesPerSecond, long sinceNs);

    /** What has been counted so far. */
    Tally tally();

    Connections connections();

    /**
     * How many messages of the other parties are under way, so that the window is that of the whole run. May be
     * negative.
     */
    void othersUnderWay(long messages);

    /** By what they measure. */
    Map<String, List<LatencyRecorder>> latencies();

    /** The threads that must not become the bottleneck. */
    List<Thread> busyThreads();

    /** What went wrong, but for connections. */
    List<String> failures();

    /** By what they are about, and what they count. */
    Map<String, Map<String, Long>> counts();

    /** Ends {@link #open} before its time. Any thread. */
    void abandon();

    @Override
    void close();

    /**
     * @param open how many there are
     * @param refused those that never came to be
     * @param lost those that ended on their own
     * @param firstTrouble what went wrong with the first of these; empty when nothing did
     */
    record Connections(long open, long refused, long lost, String firstTrouble) {
        public static final Connections NONE = new Connections(0, 0, 0, "");

        public Connections plus(Connections other) {
            return new Connections(
                    open + other.open,
                    refused + other.refused,
                    lost + other.lost,
                    firstTrouble.isEmpty() ? other.firstTrouble : firstTrouble);
        }
    }
}
