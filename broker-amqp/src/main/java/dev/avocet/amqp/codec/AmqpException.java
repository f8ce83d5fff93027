package dev.avocet.amqp.codec;

import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;

/**
 * A peer did what it must not, or asks for what it cannot have: the condition to answer, and why, in words. Has no
 * stack trace.
 */
public final class AmqpException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Symbol condition;

    public AmqpException(Symbol condition, String explanation) {
        super(explanation, null, false, false);
        this.condition = condition;
    }

    /** What the peer is told. */
    public ErrorCondition condition() {
        return new ErrorCondition(condition, getMessage());
    }

    /** The condition's name. */
    public Symbol symbol() {
        return condition;
    }
}
