package dev.avocet.core.store;

import java.util.List;

/** Sessions cannot be exported or imported. The message is for people; has no stack trace. */
public final class TransferException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> clientIds;

    public TransferException(String message) {
        this(message, List.of());
    }

    /** @param clientIds of whom the message speaks; not more than some hundred */
    TransferException(String message, List<String> clientIds) {
        super(message, null, false, false);
        this.clientIds = List.copyOf(clientIds);
    }

    /** The clients that stand in the way; may be empty. */
    public List<String> clientIds() {
        return clientIds;
    }
}
