package dev.avocet.bench.jms.client;

/** The JMS client cannot be used as was asked; the message is for the user. */
public final class UnusableClientException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableClientException(String message) {
        super(message, null, false, false);
    }
}
