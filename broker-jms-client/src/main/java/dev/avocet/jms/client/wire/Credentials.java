package dev.avocet.jms.client.wire;

/** Who connects; asked anew for each line, so that a token may be fresh. Called on the event loop: must not block. */
public interface Credentials {
    /** Empty: anonymous. */
    String username();

    String password();
}
