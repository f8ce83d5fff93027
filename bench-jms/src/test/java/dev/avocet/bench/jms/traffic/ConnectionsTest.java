package dev.avocet.bench.jms.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.run.RunClock;
import jakarta.jms.Connection;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

final class ConnectionsTest {
    private final Failures failures = new Failures();
    private final Connections connections = new Connections(this::connect, RunClock.system(), failures);
    private ExceptionListener client = failure -> {};
    private int complaintsAtClose;

    @Test
    void shouldCountALostConnectionOnceHoweverOftenItsClientComplains() throws JMSException {
        connections.open(null);
        connections.open(null);

        client.onException(new JMSException("gone"));
        client.onException(new JMSException("gone"));

        assertThat(connections.lost()).isOne();
        assertThat(failures.texts()).containsExactly("connection: gone (2 times)");
    }

    @Test
    void shouldNotCountWhatAClientSaysWhenItIsClosed() throws JMSException {
        complaintsAtClose = 600;
        connections.open(null);

        connections.close();

        assertThat(connections.lost()).isZero();
        assertThat(failures.isEmpty()).isTrue();
    }

    /** All of JMS's interface that is used here. */
    private Connection connect() {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "setExceptionListener" -> client = (ExceptionListener) arguments[0];
                        case "close" -> complain();
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private void complain() {
        for (int i = 0; i < complaintsAtClose; i++) {
            client.onException(new JMSException("not sent"));
        }
    }
}
