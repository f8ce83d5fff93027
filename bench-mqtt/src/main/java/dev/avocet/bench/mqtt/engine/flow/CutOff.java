package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.check.Counter;
import java.util.Arrays;

/**
 * What publishers of one lane had sent when they closed their sockets, and of which they do not know whether the server
 * has it. Owned by the lane's loop; its counters may be read by any thread.
 */
public final class CutOff {
    private static final int FIELDS = 2;
    private static final int INITIAL_ENTRIES = 64;
    private static final int MAX_ENTRIES = 1 << 20;

    public final Counter messages = new Counter();

    /** How many arrivals these messages should have made. */
    public final Counter arrivals = new Counter();

    /** A stream and a sequence number each. */
    private long[] entries = {};

    private int used;
    private boolean isIncomplete;

    /** Is told of each message, or of each last message. */
    public interface Visitor {
        void cutOff(int stream, long sequence);
    }

    /** At QoS 1 and 2: this message was not acknowledged. */
    void message(PublishStream stream, long sequence) {
        messages.increment();
        arrivals.add(stream.copies());
        add(stream.number(), sequence);
    }

    /** At QoS 0: the stream's last message so far was the last before the socket was closed. */
    public void end(PublishStream stream) {
        if (stream.sequence() > 0) {
            add(stream.number(), stream.sequence());
        }
    }

    private void add(int stream, long sequence) {
        if (used == FIELDS * MAX_ENTRIES) {
            isIncomplete = true;
            return;
        }
        if (used == entries.length) {
            entries = Arrays.copyOf(entries, Math.max(FIELDS * INITIAL_ENTRIES, used * 2));
        }
        entries[used++] = stream;
        entries[used++] = sequence;
    }

    /** Whether there were more than it keeps. */
    public boolean isIncomplete() {
        return isIncomplete;
    }

    public void forEach(Visitor visitor) {
        for (int at = 0; at < used; at += FIELDS) {
            visitor.cutOff((int) entries[at], entries[at + 1]);
        }
    }
}
