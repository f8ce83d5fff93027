package dev.avocet.core.tls.key;

/**
 * Certificates or keys that cannot be used. The message names the file, what is wrong, and where it helps what to do.
 */
public final class TlsException extends Exception {
    private static final long serialVersionUID = 1L;

    public TlsException(String message) {
        super(message);
    }

    public TlsException(String message, Throwable cause) {
        super(message, cause);
    }
}
