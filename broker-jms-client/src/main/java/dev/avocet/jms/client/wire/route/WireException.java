package dev.avocet.jms.client.wire.route;

import java.io.Serial;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/** What went wrong, with the AMQP error condition that the server gave or one of our own. */
public final class WireException extends Exception {
    /** No line to any server. */
    public static final String CONNECTION_LOST = "avocet:connection-lost";
    /** Authentication failed. */
    public static final String NOT_AUTHENTICATED = "avocet:not-authenticated";
    /** The line was lost after a request went out and before its answer came. */
    public static final String IN_DOUBT = "avocet:in-doubt";
    /** The transaction went with the line. */
    public static final String TRANSACTION_LOST = "avocet:transaction-lost";
    /** The server allows no more sessions or links; the condition is AMQP's. */
    public static final String LIMIT_EXCEEDED = "amqp:resource-limit-exceeded";
    /** The link or connection was closed on this side. */
    public static final String CLOSED = "avocet:closed";

    @Serial
    private static final long serialVersionUID = 1L;

    private final String condition;
    private final transient @Nullable Redirect redirect;

    public WireException(final String condition, final String message) {
        this(condition, message, null, null);
    }

    public WireException(final String condition, final String message, final @Nullable Throwable cause) {
        this(condition, message, cause, null);
    }

    private WireException(
            final String condition,
            final String message,
            final @Nullable Throwable cause,
            final @Nullable Redirect redirect) {
        super(message, cause);
        this.condition = condition;
        this.redirect = redirect;
    }

    /** From what the server says; {@code what} names what it says it of. */
    public static WireException of(final @Nullable ErrorCondition error, final String what) {
        if (error == null || error.getCondition() == null) {
            return new WireException(CLOSED, what + ", and the server gave no reason");
        }
        final String condition = error.getCondition().toString();
        final String description = error.getDescription();
        final Redirect redirect = Redirect.of(error);
        return new WireException(
                condition,
                what + ": " + (description == null ? "" : description + " ")
                        + (redirect == null ? "" : "(" + redirect + ") ") + "[" + condition + "]",
                null,
                redirect);
    }

    public String condition() {
        return condition;
    }

    /** Where the server says that it is served instead; null: it does not say so. */
    public @Nullable Redirect redirect() {
        return redirect;
    }
}
