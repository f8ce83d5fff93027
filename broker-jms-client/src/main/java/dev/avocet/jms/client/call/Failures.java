package dev.avocet.jms.client.call;

import dev.avocet.jms.InDoubtException;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;

/** From what the wire says to what JMS throws. The error code of an exception is the AMQP condition. */
public final class Failures {
    private Failures() {}

    public static JMSException of(final Throwable cause) {
        final JMSException exception = cause instanceof final WireException wire
                ? ofCondition(wire.getMessage(), wire.condition())
                : new JMSException(String.valueOf(cause.getMessage()));
        exception.initCause(cause);
        if (cause instanceof final Exception linked) {
            exception.setLinkedException(linked);
        }
        return exception;
    }

    private static JMSException ofCondition(final String message, final String condition) {
        return switch (condition) {
            case WireException.IN_DOUBT -> new InDoubtException(message);
            case WireException.NOT_AUTHENTICATED, "amqp:unauthorized-access" ->
                new JMSSecurityException(message, condition);
            case WireException.TRANSACTION_LOST, "amqp:transaction:rollback", "amqp:transaction:timeout" ->
                new TransactionRolledBackException(message, condition);
            case "amqp:not-found" -> new InvalidDestinationException(message, condition);
            case "amqp:resource-limit-exceeded" -> new ResourceAllocationException(message, condition);
            default -> new JMSException(message, condition);
        };
    }

    /** For the simplified interface: the unchecked twin. */
    static JMSRuntimeException unchecked(final JMSException e) {
        final String message = e.getMessage();
        final String code = e.getErrorCode();
        if (e instanceof IllegalStateException) {
            return new IllegalStateRuntimeException(message, code, e);
        }
        if (e instanceof InvalidClientIDException) {
            return new InvalidClientIDRuntimeException(message, code, e);
        }
        if (e instanceof InvalidDestinationException) {
            return new InvalidDestinationRuntimeException(message, code, e);
        }
        if (e instanceof InvalidSelectorException) {
            return new InvalidSelectorRuntimeException(message, code, e);
        }
        if (e instanceof JMSSecurityException) {
            return new JMSSecurityRuntimeException(message, code, e);
        }
        if (e instanceof MessageFormatException) {
            return new MessageFormatRuntimeException(message, code, e);
        }
        if (e instanceof MessageNotWriteableException) {
            return new MessageNotWriteableRuntimeException(message, code, e);
        }
        if (e instanceof ResourceAllocationException) {
            return new ResourceAllocationRuntimeException(message, code, e);
        }
        if (e instanceof TransactionRolledBackException) {
            return new TransactionRolledBackRuntimeException(message, code, e);
        }
        return new JMSRuntimeException(message, code, e);
    }
}
