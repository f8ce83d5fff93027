package dev.avocet.jms.client.session.setting;

import dev.avocet.jms.client.codec.Clock;
import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.message.JmsMessage;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** How a producer sends what says nothing else, and what it writes into the head of each message. */
public final class ProducerSettings {
    private final String messageIdPrefix;
    private long messageCount;
    private boolean disableMessageId;
    private boolean disableTimestamp;
    private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
    private int priority = Message.DEFAULT_PRIORITY;
    private long timeToLiveMs;
    private long deliveryDelayMs = Message.DEFAULT_DELIVERY_DELAY;

    /** @param messageIdPrefix what no other producer's identifiers begin with */
    public ProducerSettings(final Options options, final String messageIdPrefix) {
        this.messageIdPrefix = messageIdPrefix;
        this.disableMessageId = options.flag(Option.DISABLE_MESSAGE_ID);
        this.disableTimestamp = options.flag(Option.DISABLE_MESSAGE_TIMESTAMP);
        this.timeToLiveMs = options.ms(Option.DEFAULT_TIME_TO_LIVE_MS);
    }

    /** Sets the headers that a send sets, section 3.4 of the specification. */
    public void stamp(
            final JmsMessage message,
            final JmsDestination to,
            final int mode,
            final int withPriority,
            final long timeToLive)
            throws JMSException {
        message.setJMSDeliveryMode(mode);
        message.setJMSPriority(withPriority);
        message.setJMSDestination(to);
        message.setJMSRedelivered(false);
        message.setJMSMessageID(disableMessageId ? null : messageIdPrefix + ++messageCount);
        final boolean timed = timeToLive > 0 || deliveryDelayMs > 0 || !disableTimestamp;
        final long nowMs = timed ? Clock.wallMs() : 0;
        message.setJMSTimestamp(disableTimestamp ? 0 : nowMs);
        message.setJMSExpiration(timeToLive > 0 ? nowMs + timeToLive : 0);
        message.setJMSDeliveryTime(deliveryDelayMs > 0 ? nowMs + deliveryDelayMs : 0);
    }

    public boolean isMessageIdDisabled() {
        return disableMessageId;
    }

    public void disableMessageId(final boolean value) {
        disableMessageId = value;
    }

    public boolean isTimestampDisabled() {
        return disableTimestamp;
    }

    public void disableTimestamp(final boolean value) {
        disableTimestamp = value;
    }

    public int deliveryMode() {
        return deliveryMode;
    }

    public void deliveryMode(final int mode) throws JMSException {
        new JmsMessage().setJMSDeliveryMode(mode); // refuses what is none
        deliveryMode = mode;
    }

    public int priority() {
        return priority;
    }

    public void priority(final int to) throws JMSException {
        new JmsMessage().setJMSPriority(to); // refuses what is none
        priority = to;
    }

    public long timeToLiveMs() {
        return timeToLiveMs;
    }

    public void timeToLiveMs(final long to) {
        timeToLiveMs = to;
    }

    public long deliveryDelayMs() {
        return deliveryDelayMs;
    }

    public void deliveryDelayMs(final long to) {
        deliveryDelayMs = to;
    }
}
