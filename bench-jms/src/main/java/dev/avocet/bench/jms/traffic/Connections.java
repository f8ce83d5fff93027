package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RunClock;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The connections of one broker's clients. Owned by the thread that opens and closes. */
public final class Connections {
    private final ConnectionSource source;
    private final RunClock clock;
    private final Failures failures;
    private final List<Connection> connections = new ArrayList<>();
    private final AtomicLong lost = new AtomicLong();
    private final LatencyRecorder latency = new LatencyRecorder();
    private final LatencyRecorder sessionLatency = new LatencyRecorder();

    public Connections(ConnectionSource source, RunClock clock, Failures failures) {
        this.source = source;
        this.clock = clock;
        this.failures = failures;
    }

    /** @param clientId for durable subscriptions that are not shared */
    public Connection open(@Nullable String clientId) throws JMSException {
        long beginNs = clock.nanoTime();
        Connection connection = source.connect();
        connections.add(connection);
        if (clientId != null) {
            connection.setClientID(clientId);
        }
        // Clients call it for each message of a connection that is gone, too, and when they are closed for good.
        AtomicBoolean isLost = new AtomicBoolean();
        connection.setExceptionListener(failure -> {
            if (!failures.isEndExpected() && isLost.compareAndSet(false, true)) {
                lost.incrementAndGet();
            }
            failures.add("connection", failure);
        });
        latency.record(clock.nanoTime() - beginNs);
        return connection;
    }

    public Session openSession(Connection connection, boolean isTransacted, int acknowledgeMode) throws JMSException {
        long beginNs = clock.nanoTime();
        Session session = connection.createSession(isTransacted, acknowledgeMode);
        sessionLatency.record(clock.nanoTime() - beginNs);
        return session;
    }

    public void start() throws JMSException {
        for (Connection connection : connections) {
            connection.start();
        }
    }

    /** Returns when no listener runs any more. */
    public void stop() {
        connections.forEach(Connections::stop);
    }

    public void close() {
        failures.expectEnd();
        connections.forEach(Connections::close);
        connections.clear();
    }

    public int count() {
        return connections.size();
    }

    public long lost() {
        return lost.get();
    }

    public LatencyRecorder latency() {
        return latency;
    }

    /** How long it takes to create a session. */
    public LatencyRecorder sessionLatency() {
        return sessionLatency;
    }

    private static void stop(Connection connection) {
        try {
            connection.stop();
        } catch (JMSException alreadyGone) {
            // It was counted when it went.
            return;
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (JMSException alreadyGone) {
            return;
        }
    }
}
