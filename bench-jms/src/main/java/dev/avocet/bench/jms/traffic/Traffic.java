package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyRecorder;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Map;

/** All clients of a run at one broker. Called by the thread that measures. */
public interface Traffic {
    /** Connects everybody; messages may arrive from here on. */
    void open() throws JMSException;

    /** Tells the receivers: what was meant to be sent before that moment is left over from another run. */
    void expect(long startNs);

    /** Begins to send. */
    void start(long startNs);

    /** Tells the senders to end; they finish what they have begun. */
    void stopSending();

    /** Whether all senders have ended. */
    boolean isSendingOver();

    /**
     * Ends the receivers, acknowledges what they still hold, and closes all connections. What cannot be closed is left.
     */
    void close();

    /** What has been counted so far; exact when {@link #isSendingOver}. */
    Tally tally();

    /** Messages of other runs that were found and passed over. */
    long leftOvers();

    Connections connections();

    /** By what they measure; the first is the one that counts. */
    Map<String, List<LatencyRecorder>> latencies();

    /** From that moment on the least and the most latency of each destination are kept, where they are asked for. */
    void measureFrom(long ns);

    /** By what they are about, and what they count: what each destination's consumers received. */
    Map<String, Map<String, Long>> counts();

    /** The harness's own threads. */
    List<Thread> threads();
}
