package dev.avocet.core.message;

/**
 * Messages that one client has published one after the other to the same topic: of one quality of service, 0 or 1, not to be retained, without
 * expiry. Together they go a way that costs little more for many than for one. Immutable.
 */
public final class MessageRun {
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

    /** Of each message. */
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
}
