package dev.avocet.bench.jms.destination;

/**
 * Which session it is: the number of its thread, of its connection in the thread, and its own in the connection; from
 * 0.
 */
public record ClientPosition(int thread, int connection, int session) {
    /** The number of this session among all sessions of its side. */
    public int index(Layout layout) {
        return (thread * layout.connectionCount() + connection) * layout.sessionCount() + session;
    }
}
