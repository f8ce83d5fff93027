package dev.avocet.ha.coordination;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator did not answer, or not in time, or what it keeps cannot be read. After a compare-and-set it is
 * <em>not known</em> whether the register has changed, and it may still change.
 */
public final class CoordinationException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    public CoordinationException(String message) {
        super(message);
    }

    public CoordinationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
