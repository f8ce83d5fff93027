package dev.avocet.server.broker.endpoint;

import java.io.IOException;

/** An address on which this process should listen cannot be bound. Has no stack trace: the address is at fault. */
public final class CannotListenException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * A message that says which address and why.
     *
     * @param what such as {@code endpoint 'default'}
     * @param address as configured, {@code host:port}
     * @param cause what the operating system said
     */
    public CannotListenException(String what, String address, Throwable cause) {
        super(what + " cannot listen on " + address + ": " + reason(cause));
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        // synchronized because the overridden method is; no thread waits for it.
        return this;
    }

    /** Why an address cannot be bound: what the operating system said, in words that help. */
    public static String reason(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        return message.contains("ddress already in use") ? "another process listens there already" : message;
    }
}
