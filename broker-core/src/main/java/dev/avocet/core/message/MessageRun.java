package dev.avocet.core.message;

/**
 * Messages that follow one another on their way: of one quality of service, 0 or 1, not to be retained, without expiry,
 * and small altogether; or messages that {@linkplain #maySend a client sends to one queue}. Together they go a way that
 * costs little more for many than for one. Immutable.
 */
public final class MessageRun {
    public static final int MAX_MESSAGES = 256;

    /** What the first level of a processor's cache holds beside the rest. */
    public static final int MAX_BYTES = 16 << 10;

    private final Message[] messages;
    private final int size;

    /** @param messages taken over, the first {@code size} of them; must not be changed afterwards */
    public MessageRun(Message[] messages, int size) {
        this.messages = messages;
        this.size = size;
    }

    public int size() {
        return size;
    }

    /** Memory of all messages. */
    public long sizeBytes() {
        long bytes = 0;
        for (int i = 0; i < size; i++) {
            bytes += messages[i].sizeBytes();
        }
        return bytes;
    }

    /** Of each message that is not for a queue by name. */
    public QualityOfService qos() {
        return messages[0].qos();
    }

    public Message get(int index) {
        return messages[index];
    }

    /** Whether a message may be part of a run. */
    public static boolean mayHold(Message message) {
        return message.qos() != QualityOfService.EXACTLY_ONCE
                && !message.retain()
                && !message.expires()
                && !message.isForQueue();
    }

    /** Whether a message may be part of a run to a queue by name: nothing about it takes a look at the time. */
    public static boolean maySend(Message message) {
        return message.isForQueue()
                && message.qos() != QualityOfService.AT_MOST_ONCE
                && !message.expires()
                && !message.isDelayed();
    }
}
