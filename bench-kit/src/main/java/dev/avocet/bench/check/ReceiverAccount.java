package dev.avocet.bench.check;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What one receiver has received. The thread that receives owns it; its figures may be read by any.
 *
 * <p>Order is checked per stream and receiver. Duplicates are found among the last 64 messages of a stream, or, where
 * receivers share them, in the window of the {@link SharedStreams}. What is older counts as a duplicate when the server
 * says that it sends it again, and as out of order otherwise. One that notes what is {@link MissingMessages missing}
 * knows of any message whether it has come before.
 */
public final class ReceiverAccount {
    private final @Nullable SharedStreams shared;
    private final StreamTable streams;
    private final @Nullable MissingMessages missing;
    private final Figures figures;

    /** The sums of one thread's receivers. */
    public static final class Figures {
        private final Counter received = new Counter();
        private final Counter duplicates = new Counter();
        private final Counter outOfOrder = new Counter();
        private final Counter corrupt = new Counter();

        /** All messages, duplicates and damaged ones too. */
        public long received() {
            return received.value();
        }

        public long duplicates() {
            return duplicates.value();
        }

        public long outOfOrder() {
            return outOfOrder.value();
        }

        public long corrupt() {
            return corrupt.value();
        }
    }

    /** @param figures where it counts; may be common to all receivers of its thread */
    public ReceiverAccount(Figures figures, @Nullable SharedStreams shared) {
        this(figures, shared, null);
    }

    private ReceiverAccount(Figures figures, @Nullable SharedStreams shared, @Nullable MissingMessages missing) {
        this.figures = figures;
        this.shared = shared;
        this.missing = missing;
        streams = new StreamTable(missing);
    }

    /** One that gets all messages of its streams, and notes which of them are missing. */
    public static ReceiverAccount notingWhatIsMissing(Figures figures) {
        return new ReceiverAccount(figures, null, new MissingMessages());
    }

    /** Null where it is not noted. */
    public @Nullable MissingMessages missing() {
        return missing;
    }

    /** Tells the last sequence number that came of each stream. */
    public void forEachStream(BiConsumer<Integer, Long> visitor) {
        streams.forEach(visitor::accept);
    }

    /**
     * Counts a message.
     *
     * @param isRedelivered whether the server said that it may have sent it before
     * @return whether its head can be believed, its time for instance
     */
    public boolean receive(byte[] array, int offset, int lengthBytes, boolean isRedelivered) {
        Arrival arrival = receive(array, offset, lengthBytes);
        if (arrival == Arrival.UNKNOWN) {
            resolve(isRedelivered);
        }
        return arrival != Arrival.DAMAGED;
    }

    /**
     * Counts a message, where it costs something to ask whether the server may have sent it before.
     *
     * @return what it is; after {@link Arrival#UNKNOWN} the caller asks, and says so by {@link #resolve}
     */
    public Arrival receive(byte[] array, int offset, int lengthBytes) {
        figures.received.increment();
        if (!MessageHead.isIntact(array, offset, lengthBytes)) {
            figures.corrupt.increment();
            return Arrival.DAMAGED;
        }
        int stream = MessageHead.stream(array, offset);
        long sequence = MessageHead.sequence(array, offset);
        Arrival arrival = streams.arrive(stream, sequence);
        if (shared != null && !shared.isNew(stream, sequence)) {
            arrival = Arrival.DUPLICATE;
        }
        if (arrival == Arrival.DUPLICATE) {
            figures.duplicates.increment();
        } else if (arrival == Arrival.OUT_OF_ORDER) {
            figures.outOfOrder.increment();
        }
        return arrival;
    }

    /** Counts a message without a head, of which nothing can be said but that it came. */
    public void receiveUnchecked() {
        figures.received.increment();
    }

    /**
     * Counts a message, of which {@link #receive(byte[], int, int)} could not know it, as a duplicate or as out of
     * order.
     */
    public void resolve(boolean isRedelivered) {
        if (isRedelivered) {
            figures.duplicates.increment();
        } else {
            figures.outOfOrder.increment();
        }
    }
}
