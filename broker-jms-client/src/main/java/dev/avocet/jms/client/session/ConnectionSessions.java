package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.session.setting.Domain;
import dev.avocet.jms.client.wire.WireSession;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a connection: those of the application, and two that the connection makes for itself when it first
 * needs them. Thread-safe.
 */
final class ConnectionSessions {
    private final JmsConnection connection;
    private final List<JmsSession> open = new CopyOnWriteArrayList<>();
    private @Nullable WireSession own;
    private @Nullable JmsSession consuming;

    ConnectionSessions(final JmsConnection connection) {
        this.connection = connection;
    }

    /** The acknowledge mode of {@code createSession} with two parameters. */
    static int mode(final boolean transacted, final int acknowledgeMode) throws JMSException {
        if (transacted) {
            return Session.SESSION_TRANSACTED;
        }
        if (acknowledgeMode == Session.SESSION_TRANSACTED) {
            throw new JMSException("SESSION_TRANSACTED is not an acknowledge mode of a session that is not transacted");
        }
        return acknowledgeMode;
    }

    JmsSession open(final Domain of, final int acknowledgeMode) throws JMSException {
        connection.use();
        return add(JmsSession.open(connection, of, acknowledgeMode));
    }

    <T extends JmsSession> T add(final T session) throws JMSException {
        open.add(session);
        if (connection.isClosed()) {
            session.close();
            throw new IllegalStateException("the connection is closed");
        }
        return session;
    }

    void remove(final JmsSession session) {
        open.remove(session);
    }

    void started() {
        for (final JmsSession session : open) {
            session.started();
        }
    }

    void refuseInCallback(final String what) throws JMSException {
        for (final JmsSession session : open) {
            session.refuseInCallback(what);
        }
    }

    /** Waits for the end of the listeners that run. */
    void awaitListeners() {
        for (final JmsSession session : open) {
            session.listeners().awaitEnd();
        }
    }

    /** The connection is being closed, which takes them with it. */
    void closeLocally() throws JMSException {
        for (final JmsSession session : open) {
            session.closeLocally();
        }
        open.clear();
    }

    boolean consumeFrom(final JmsDestination destination) {
        return open.stream().anyMatch(session -> session.consumers().consumeFrom(destination));
    }

    /** For links that belong to no session of the application. Of the event loop. */
    WireSession own() {
        WireSession made = own;
        if (made == null) {
            made = connection.wire().session(true);
            own = made;
        }
        return made;
    }

    /** The session whose links bring what connection consumers take. */
    JmsSession consuming() throws JMSException {
        connection.use();
        synchronized (open) { // Two threads may be the first.
            JmsSession made = consuming;
            if (made == null) {
                made = add(JmsSession.open(connection, Domain.COMMON, Session.AUTO_ACKNOWLEDGE));
                consuming = made;
            }
            return made;
        }
    }
}
