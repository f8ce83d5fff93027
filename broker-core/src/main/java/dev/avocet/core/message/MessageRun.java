package dev.avocet.core.message;

/**
 * Messages that one client has published one after the other to the same topic, and that may be lost: of QoS 0, not to be retained, without
 * expiry. Together they go a way that costs the same for one as for many. Immutable.
 */
public final class MessageRun {
    private final Message[] messages;

    /** @param messages taken over; must not be changed afterwards */
    public MessageRun(Message[] messages) {
        this.messages = messages;
    }

    public int size() {
        return messages.length;
    }

    public Message get(int index) {
        return messages[index];
    }

    /** Whether a message may be part of a run. */
    public static boolean mayHold(Message message) {
        return message.qos() == QualityOfService.AT_MOST_ONCE
                && !message.retain()
                && !message.expires()
                && !message.isForQueue();
    }
}
