package dev.avocet.jms.client.session.setting;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/**
 * Which of the classic interfaces a connection or session was made by; those of one domain refuse the other's methods.
 */
public enum Domain {
    COMMON,
    QUEUE,
    TOPIC;

    public void refuseIn(final Domain domain, final String method) throws JMSException {
        if (this == domain) {
            throw new IllegalStateException(
                    method + " is not there for a " + (this == QUEUE ? "queue" : "topic") + " session");
        }
    }
}
