package dev.avocet.core.queue;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.ReferenceSearch;
import dev.avocet.core.queue.transit.EndedReference;
import dev.avocet.core.queue.transit.Inbox;
import dev.avocet.core.queue.transit.RoutedMessage;
import dev.avocet.core.queue.transit.StoredEntry;
import dev.avocet.core.queue.transit.Unsettled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a {@link MessageQueue} and how it comes to consumers. The queue has taken what other threads have sent
 * before it calls. Room that is given back by what {@code void} and what a number of messages is returned for is given
 * back here; elsewhere the queue does it. Home loop, except {@link #consumers} and {@link #keepsForNobody}.
 */
sealed interface Dispatch permits LineDispatch, RankedDispatch {
    /** Consumers attached. Any thread. */
    int consumers();

    /** True when a message that may be lost waits even without a consumer. Any thread. */
    boolean keepsForNobody();

    /** Messages waiting. */
    int waiting();

    /** True when the next message would go to a consumer at once. */
    boolean goesStraightOn();

    /** Takes a message for which room was granted. */
    void put(Message message, @Nullable DeliveryOptions options);

    /** The same for one that lies in the store. */
    void putStored(
            @Nullable Message message,
            @Nullable DeliveryOptions options,
            long reference,
            long position,
            int storedBytes,
            long deadlineNs);

    /** Takes what other threads have put, in its order, delivering directly as long as nothing waits. */
    default void takeAll(Inbox inbox) {
        inbox.beginTaking();
        for (Object entry = inbox.poll(); entry != null; entry = inbox.poll()) {
            if (entry instanceof StoredEntry stored) {
                putStored(
                        stored.message(),
                        stored.options(),
                        stored.reference(),
                        stored.position(),
                        stored.storedBytes(),
                        stored.deadlineNs());
            } else if (entry instanceof EndedReference ended) {
                endCommitted(ended.reference());
            } else {
                put(RoutedMessage.messageOf(entry), RoutedMessage.optionsOf(entry));
            }
        }
    }

    /** Hands a message to a consumer for which no room was granted; false when none takes it now. */
    boolean handOn(Message message, @Nullable DeliveryOptions options);

    /** True when a run would go to a consumer at once. */
    default boolean takes(MessageRun run) {
        return false;
    }

    /** Hands a run of QoS 0 to a consumer, without room for it; false when none takes it now. */
    default boolean handOn(MessageRun run) {
        return false;
    }

    /** Takes a run for which room was granted. */
    default void put(MessageRun run) {
        for (int i = 0; i < run.size(); i++) {
            put(run.get(i), null);
        }
    }

    /** Has a message wait for which room was granted. */
    void enqueue(Message message, @Nullable DeliveryOptions options);

    /** Delivers what waits until the consumers are busy or nothing is left. */
    void drain();

    /** A consumer has settled a stored reference; false when none of that number is in flight. */
    boolean settle(long reference);

    /** Those of the references that are in flight still have been with a consumer for a while: the store is to know. */
    void noteDelivered(long[] references);

    /** A reference in flight is over, as the store knows already. */
    void endCommitted(long reference);

    /** Puts messages that a consumer gave up back to the front. */
    void giveBack(List<Unsettled> messages);

    /** The same for references whose messages are on disk only. */
    void giveBackAbsent(long[] references);

    void restore(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options);

    void restoreInFlight(
            long reference, long position, int storedBytes, long expiryDeadlineNs, @Nullable DeliveryOptions options);

    QueueSnapshot snapshot();

    ReferenceSearch search(long from, long until);

    /**
     * The message of a reference was written again: true when it lies there now, and the store may forget the place
     * that it had; false when it lies at a later one, or the reference is over.
     */
    boolean moved(long reference, long newPosition, int storedBytes);

    /** True when there are more than so many. */
    boolean shedPayloads(int most);

    /**
     * Ends a reference that waits and whose message lies there; false when there is none, or it cannot be ended now.
     */
    boolean lose(long reference, long position);

    /** Ends what has expired, and gives its room back. */
    void removeExpired(long nowNs);

    /** Ends everything; returns how many messages waited. */
    int close();
}
