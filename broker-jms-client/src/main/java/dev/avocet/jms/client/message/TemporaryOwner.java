package dev.avocet.jms.client.message;

import jakarta.jms.JMSException;

/** The connection that made a temporary destination. */
public interface TemporaryOwner {
    /** Takes it off the server; fails while it has consumers. */
    void delete(JmsDestination destination) throws JMSException;
}
