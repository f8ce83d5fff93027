package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.check.Arrival;
import dev.avocet.bench.check.Counter;
import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.check.SharedStreams;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RunClock;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * Checks and counts what one consumer receives. Used by one thread at a time: the one that receives, or those of the
 * client on which a session calls its listeners one after the other.
 */
public final class Arrivals {
    private final RunClock clock;
    private final LatencyRecorder latency;
    private final ReceiverAccount.Figures figures;
    private final ReceiverAccount account;
    private final Counter leftOvers = new Counter();
    private final byte[] buffer;
    /** Until the run begins everything is left over. */
    private volatile long startNs = Long.MAX_VALUE;

    private @Nullable Extremes extremes;
    private long lastSequence;

    /** What a message turned out to be. */
    public enum Kind {
        /** Of this run, and as it was sent. */
        WHOLE,
        /** Not as it was sent. */
        DAMAGED,
        /** Of an earlier run. */
        LEFT_OVER
    }

    /**
     * @param largestBytes of the run's payloads
     * @param shared where other consumers take messages of the same streams
     */
    public Arrivals(RunClock clock, LatencyRecorder latency, int largestBytes, @Nullable SharedStreams shared) {
        this.clock = clock;
        this.latency = latency;
        figures = new ReceiverAccount.Figures();
        account = new ReceiverAccount(figures, shared);
        // One more, to see that a message is too long.
        buffer = new byte[largestBytes + 1];
    }

    /** Also keeps the least and the most latency. To be called before anything arrives. */
    public void keepExtremes() {
        extremes = new Extremes();
    }

    /** Null where they are not kept. */
    public @Nullable Extremes extremes() {
        return extremes;
    }

    /** What was meant to be sent before is left over from another run, and does not count. */
    public void begin(long runStartNs) {
        startNs = runStartNs;
    }

    public Kind receive(Message message) throws JMSException {
        long nowNs = clock.nanoTime();
        int lengthBytes = read(message);
        if (isLeftOver(lengthBytes)) {
            leftOvers.increment();
            return Kind.LEFT_OVER;
        }
        Arrival arrival = account.receive(buffer, 0, lengthBytes);
        if (arrival == Arrival.DAMAGED) {
            return Kind.DAMAGED;
        }
        if (arrival == Arrival.UNKNOWN) {
            // Only now: a client may have to decode a message's whole head for it.
            account.resolve(message.getJMSRedelivered());
        }
        lastSequence = MessageHead.sequence(buffer, 0);
        long latencyNs = nowNs - MessageHead.intendedNs(buffer, 0);
        latency.record(latencyNs);
        if (extremes != null) {
            extremes.record(nowNs, latencyNs);
        }
        return Kind.WHOLE;
    }

    /** The sequence number of the whole message that came last. */
    public long lastSequence() {
        return lastSequence;
    }

    public ReceiverAccount.Figures figures() {
        return figures;
    }

    public long leftOvers() {
        return leftOvers.value();
    }

    /** Other kinds of messages have no bytes of ours: too short to be whole. */
    private int read(Message message) throws JMSException {
        return message instanceof BytesMessage bytes ? Math.max(0, bytes.readBytes(buffer)) : 0;
    }

    private boolean isLeftOver(int lengthBytes) {
        return lengthBytes >= MessageHead.SIZE_BYTES
                && MessageHead.intendedNs(buffer, 0) < startNs
                && MessageHead.isIntact(buffer, 0, lengthBytes);
    }
}
