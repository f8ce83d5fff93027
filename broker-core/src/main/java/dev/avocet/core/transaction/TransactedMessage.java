package dev.avocet.core.transaction;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message of a transaction that is about to end or is prepared: where it goes, and where it lies in the store. Owned
 * by its transaction's loop.
 */
public final class TransactedMessage {
    private final @Nullable TopicName retainedTopic;
    /** Of one to be retained; to find out may cost a copy. */
    private final boolean empty;

    private final long expiryDeadlineNs;
    private final List<TransactedTarget> targets;
    private @Nullable Message message;
    private long position;
    private int storedBytes;
    private long claim;

    public TransactedMessage(Message message, List<TransactedTarget> targets) {
        this.message = message;
        this.targets = List.copyOf(targets);
        retainedTopic = message.retain() ? message.topic() : null;
        empty = message.retain() && message.payload().length == 0;
        expiryDeadlineNs = message.expiryDeadlineNs();
    }

    /**
     * One of an earlier life, which is on disk only.
     *
     * @param retainedTopic null unless it is to be retained
     * @param empty true when it removes its topic's retained message
     */
    public TransactedMessage(
            long position,
            int storedBytes,
            long expiryDeadlineNs,
            @Nullable TopicName retainedTopic,
            boolean empty,
            List<TransactedTarget> targets) {
        this.position = position;
        this.storedBytes = storedBytes;
        this.expiryDeadlineNs = expiryDeadlineNs;
        this.retainedTopic = retainedTopic;
        this.empty = empty;
        this.targets = List.copyOf(targets);
    }

    /** Null while it is on disk only. */
    public @Nullable Message message() {
        return message;
    }

    /** It was read back. */
    public void message(Message read) {
        message = read;
    }

    public List<TransactedTarget> targets() {
        return targets;
    }

    /** The topic whose retained message it becomes or removes; null when neither. */
    public @Nullable TopicName retainedTopic() {
        return retainedTopic;
    }

    /** True when it becomes its topic's retained message [MQTT-3.3.1-6]. */
    public boolean isKept() {
        return retainedTopic != null && !empty;
    }

    public long expiryDeadlineNs() {
        return expiryDeadlineNs;
    }

    /** How many references to it the store keeps. */
    public int storedReferences() {
        return storedTargets() + (isKept() ? 1 : 0);
    }

    /** How many durable queues take it. */
    public int storedTargets() {
        int count = 0;
        for (TransactedTarget target : targets) {
            count += target.isStored() ? 1 : 0;
        }
        return count;
    }

    /** Whether anything of it has to survive. */
    public boolean needsStore() {
        return retainedTopic != null || storedTargets() > 0;
    }

    /** True once it lies in the store. */
    public boolean isStored() {
        return storedBytes > 0;
    }

    public long position() {
        return position;
    }

    public int storedBytes() {
        return storedBytes;
    }

    /** The position of the entry that has it count: its own, or that of its transaction's end. */
    public long claim() {
        return claim;
    }

    /** It is durable, though its transaction may not be. */
    public void stored(long atPosition, int bytes) {
        position = atPosition;
        storedBytes = bytes;
        claim = atPosition;
    }

    /** The end of its transaction is durable, which lies there. */
    public void countsFrom(long commitPosition) {
        claim = commitPosition;
    }
}
