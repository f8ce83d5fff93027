package dev.avocet.jms.client.message;

import jakarta.jms.JMSException;

/** What {@link jakarta.jms.Message#acknowledge} does in the session that received the message. */
@FunctionalInterface
public interface Acknowledger {
    void acknowledge() throws JMSException;
}
