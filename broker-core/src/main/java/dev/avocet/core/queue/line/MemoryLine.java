package dev.avocet.core.queue.line;

import static dev.avocet.core.queue.transit.DeliverySource.NOT_STORED;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageRun;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.ExpirySearch;
import dev.avocet.core.queue.transit.RoutedMessage;
import org.jspecify.annotations.Nullable;

/** The line of a queue that does not outlive the broker: messages, or messages with options. Home loop. */
public final class MemoryLine implements WaitingLine {
    private final MessageRing ring = new MessageRing();
    private long bytes;

    @Override
    public int size() {
        return ring.size();
    }

    @Override
    public long unstoredBytes() {
        return bytes;
    }

    @Override
    public long storedBytes() {
        return 0;
    }

    @Override
    public long heapBytes() {
        return bytes;
    }

    @Override
    public void addLast(Message message, @Nullable DeliveryOptions options) {
        ring.addLast(RoutedMessage.entry(message, options, NOT_STORED));
        bytes += message.sizeBytes();
    }

    /** Puts a message before all others, as a consumer gave it up. */
    public void addFirst(Message message, @Nullable DeliveryOptions options) {
        ring.addFirst(RoutedMessage.entry(message, options, NOT_STORED));
        bytes += message.sizeBytes();
    }

    @Override
    public Message first() {
        return RoutedMessage.messageOf(ring.get(0));
    }

    @Override
    public @Nullable DeliveryOptions firstOptions() {
        return RoutedMessage.optionsOf(ring.get(0));
    }

    @Override
    public long firstReference() {
        return NOT_STORED;
    }

    @Override
    public long firstDeadlineNs() {
        return first().expiryDeadlineNs();
    }

    @Override
    public void handOutFirst() {
        poll();
    }

    @Override
    public void endFirst(IoLoop home) {
        poll();
    }

    @Override
    public boolean sweep(ExpirySearch search, int most, IoLoop home) {
        for (int left = ring.size(); left > 0; left--) {
            Object entry = poll();
            Message message = RoutedMessage.messageOf(entry);
            if (!search.isOver(message.expiryDeadlineNs())) {
                ring.addLast(entry);
                bytes += message.sizeBytes();
            }
        }
        return true;
    }

    @Override
    public void abandon(IoLoop home) {
        ring.clear();
        bytes = 0;
    }

    @Override
    public UnstoredSnapshot unstored() {
        Object[] present = ring.copy();
        return visitor -> {
            for (Object entry : present) {
                visitor.onUnstored(
                        UnstoredVisitor.AT_END, RoutedMessage.messageOf(entry), RoutedMessage.optionsOf(entry));
            }
        };
    }

    /**
     * Takes the first messages away, as far as they can go to a consumer together; null when that is not more than one.
     */
    public @Nullable MessageRun takeRun(Consumer consumer) {
        if (ring.size() < 2 || !(ring.get(0) instanceof Message head) || !MessageRun.mayHold(head)) {
            return null;
        }
        int most = Math.min(ring.size(), Math.min(MessageRun.MAX_MESSAGES, consumer.runRoom(head.qos())));
        int count = runLength(head.qos(), most);
        if (count < 2) {
            return null;
        }
        Message[] messages = new Message[count];
        for (int i = 0; i < count; i++) {
            messages[i] = RoutedMessage.messageOf(poll());
        }
        return new MessageRun(messages, count);
    }

    private int runLength(QualityOfService qos, int most) {
        long sizeBytes = 0;
        for (int i = 0; i < most; i++) {
            if (!(ring.get(i) instanceof Message next) || next.qos() != qos || !MessageRun.mayHold(next)) {
                return i;
            }
            sizeBytes += next.sizeBytes();
            if (sizeBytes > MessageRun.MAX_BYTES) {
                return i;
            }
        }
        return most;
    }

    /** Moves everything to the end of another line. */
    public void moveTo(WaitingLine other) {
        while (!ring.isEmpty()) {
            Object entry = poll();
            other.addLast(RoutedMessage.messageOf(entry), RoutedMessage.optionsOf(entry));
        }
    }

    private Object poll() {
        Object entry = ring.take();
        bytes -= RoutedMessage.messageOf(entry).sizeBytes();
        return entry;
    }
}
