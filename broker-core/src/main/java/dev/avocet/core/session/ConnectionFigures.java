package dev.avocet.core.session;

/**
 * What there is to tell about a connection beside who it is.
 *
 * @param protocol what it speaks, as administrators call it; empty when that is not known
 * @param port of the endpoint; 0 when it is not known
 * @param connectedAtNs when the client was accepted, on the scale of the clock's {@code nanoTime}
 * @param receivedBytes read from the client since then
 * @param receivedMessages published by the client
 * @param sentBytes written to the client
 * @param sentMessages sent to the client
 */
public record ConnectionFigures(
        String protocol,
        int port,
        long connectedAtNs,
        long receivedBytes,
        long receivedMessages,
        long sentBytes,
        long sentMessages) {
    /** Of a connection that does not tell. */
    public static final ConnectionFigures NONE = new ConnectionFigures("", 0, 0, 0, 0, 0, 0);
}
