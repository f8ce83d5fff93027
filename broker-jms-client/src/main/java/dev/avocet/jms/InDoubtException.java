package dev.avocet.jms;

import jakarta.jms.JMSException;
import java.io.Serial;

/**
 * The connection was lost after a message or a commit went out and before the server answered: it may be done, or not.
 * Nothing was done twice. Who must know has to look, or to do it again in a way that bears a double.
 */
public final class InDoubtException extends JMSException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What is in doubt. */
    public InDoubtException(final String reason) {
        super(reason, "avocet:in-doubt");
    }
}
