package dev.avocet.jms.client.message;

import jakarta.jms.JMSException;

/** Seals bodies on their way out. Called by the thread of the application that sends. */
@FunctionalInterface
public interface Seal {
    /**
     * @param kind what the content is, as {@link SealedBody} has it
     * @return an envelope
     */
    byte[] seal(String kind, byte[] content) throws JMSException;
}
