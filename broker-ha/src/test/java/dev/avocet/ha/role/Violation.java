package dev.avocet.ha.role;

import java.io.Serial;

/** The pair has done what it must never do. */
final class Violation extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    Violation(String message) {
        super(message);
    }
}
