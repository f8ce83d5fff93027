package dev.avocet.jms.client.codec;

import java.io.Serial;

/** The bytes of a message, or of a frame, are not AMQP 1.0. Without a stack: a peer may send many of them. */
public final class MalformedAmqpException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    MalformedAmqpException(final String message) {
        super(message, null, false, false);
    }
}
