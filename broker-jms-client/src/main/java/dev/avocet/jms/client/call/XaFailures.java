package dev.avocet.jms.client.call;

import dev.avocet.jms.client.wire.route.WireException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.transaction.xa.XAException;
import org.jspecify.annotations.Nullable;

/** From what the wire says to the codes of XA. */
public final class XaFailures {
    private XaFailures() {}

    public static XAException of(final int code, final String message) {
        final XAException exception = new XAException(message);
        exception.errorCode = code;
        return exception;
    }

    public static XAException of(final @Nullable Throwable cause) {
        final int code = cause instanceof final WireException wire ? code(wire.condition()) : XAException.XAER_RMERR;
        final XAException exception = of(code, cause == null ? "unknown" : String.valueOf(cause.getMessage()));
        exception.initCause(cause);
        return exception;
    }

    private static int code(final String condition) {
        return switch (condition) {
            case "amqp:transaction:unknown-id" -> XAException.XAER_NOTA;
            case "avocet:duplicate-branch" -> XAException.XAER_DUPID;
            case "amqp:illegal-state" -> XAException.XAER_PROTO;
            case "amqp:invalid-field" -> XAException.XAER_INVAL;
            case "amqp:transaction:rollback" -> XAException.XA_RBROLLBACK;
            case "amqp:transaction:timeout" -> XAException.XA_RBTIMEOUT;
            case WireException.TRANSACTION_LOST -> XAException.XA_RBCOMMFAIL;
            case "avocet:heuristic-commit" -> XAException.XA_HEURCOM;
            case "avocet:heuristic-rollback" -> XAException.XA_HEURRB;
            // It is being ended by another at this moment, or the server is not there: ask again.
            case "amqp:resource-locked",
                    WireException.CONNECTION_LOST,
                    WireException.CLOSED,
                    WireException.IN_DOUBT,
                    "amqp:connection:forced" -> XAException.XAER_RMFAIL;
            default -> XAException.XAER_RMERR;
        };
    }

    /**
     * Waits for the event loop.
     *
     * @param timeoutMs 0: as long as it takes
     */
    public static <T> T await(final CompletableFuture<T> future, final long timeoutMs) throws XAException {
        try {
            return timeoutMs == 0 ? future.get() : future.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (final ExecutionException e) {
            Throwable cause = e;
            while (cause.getCause() != null && !(cause instanceof WireException)) {
                cause = cause.getCause();
            }
            throw of(cause);
        } catch (final TimeoutException e) {
            throw caused(of(XAException.XAER_RMFAIL, "the server did not answer within " + timeoutMs + " ms"), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw caused(of(XAException.XAER_RMFAIL, "interrupted while waiting for the server"), e);
        }
    }

    private static XAException caused(final XAException exception, final Exception cause) {
        exception.initCause(cause);
        return exception;
    }
}
