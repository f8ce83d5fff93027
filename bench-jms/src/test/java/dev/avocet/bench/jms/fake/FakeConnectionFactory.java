package dev.avocet.bench.jms.fake;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A factory to be found by its name. Its address says which fault: {@code DROP/100} is one message in a hundred. Those
 * whose address has a third part, such as {@code DROP/100/name}, share a broker.
 */
public final class FakeConnectionFactory implements ConnectionFactory {
    private static final Map<String, FakeBroker> SHARED = new ConcurrentHashMap<>();

    private final FakeBroker broker;
    private int limit = Integer.MAX_VALUE;

    public FakeConnectionFactory(String address) {
        String[] parts = address.split("/", 3);
        broker = parts.length < 3 ? broker(parts) : SHARED.computeIfAbsent(address, name -> broker(parts));
    }

    private static FakeBroker broker(String[] parts) {
        return new FakeBroker(Fault.valueOf(parts[0]), Integer.parseInt(parts[1]));
    }

    /** How many connections there may be. */
    public void setConnectionLimit(int connections) {
        limit = connections;
    }

    public void setPassword(String password) {
        // Everybody may connect.
    }

    /** Workloads ask for these. */
    public void setDisableACK(boolean disable) {
        // Nothing is acknowledged anyway.
    }

    public void setClientMessageCache(int messages) {
        // Nothing is kept anyway.
    }

    @Override
    public Connection createConnection() throws JMSException {
        if (--limit < 0) {
            throw new JMSException("too many connections");
        }
        return broker.connect();
    }

    @Override
    public Connection createConnection(String user, String password) {
        return broker.connect();
    }

    @Override
    public JMSContext createContext() {
        throw new UnsupportedOperationException();
    }

    @Override
    public JMSContext createContext(String user, String password) {
        throw new UnsupportedOperationException();
    }

    @Override
    public JMSContext createContext(String user, String password, int sessionMode) {
        throw new UnsupportedOperationException();
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        throw new UnsupportedOperationException();
    }
}
