package dev.avocet.core.metrics;

/**
 * What goes through one connection, counted for the connection itself, for its endpoint and for the loop. Owned by the
 * connection's loop.
 */
public final class Traffic {
    private final LoopCounters loop;
    private final LoopCounters endpoint;
    private long receivedBytes;
    private long receivedMessages;
    private long sentBytes;
    private long sentMessages;

    /**
     * @param loop of the connection
     * @param endpoint what the loop counts for the connection's endpoint
     */
    public Traffic(LoopCounters loop, LoopCounters endpoint) {
        this.loop = loop;
        this.endpoint = endpoint;
    }

    public void receivedBytes(int bytes) {
        receivedBytes += bytes;
        count(Counter.BYTES_RECEIVED, bytes);
    }

    public void receivedMessages(int messages) {
        receivedMessages += messages;
        count(Counter.MESSAGES_RECEIVED, messages);
    }

    public void sent(int bytes, int messages) {
        sentBytes += bytes;
        sentMessages += messages;
        count(Counter.BYTES_SENT, bytes);
        count(Counter.MESSAGES_DELIVERED, messages);
    }

    /** A publish failed as a whole. The loop counts it where the reason is known. */
    public void lost() {
        endpoint.increment(Counter.PUBLISHES_REFUSED);
    }

    /** A publish was taken, though not by every subscription. */
    public void passedOver() {
        count(Counter.PUBLISHES_INCOMPLETE, 1);
    }

    /** Bytes read from the client so far. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Messages that the client has published so far. */
    public long receivedMessages() {
        return receivedMessages;
    }

    /** Bytes written to the client so far. */
    public long sentBytes() {
        return sentBytes;
    }

    /** Messages sent to the client so far. */
    public long sentMessages() {
        return sentMessages;
    }

    private void count(Counter counter, int delta) {
        loop.add(counter, delta);
        endpoint.add(counter, delta);
    }
}
