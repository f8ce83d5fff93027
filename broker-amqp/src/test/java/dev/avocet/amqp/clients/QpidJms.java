package dev.avocet.amqp.clients;

import dev.avocet.amqp.connection.AmqpConnections;
import dev.avocet.amqp.frontend.AmqpFrontEnd;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.security.admission.AnonymousAdmission;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.testkit.PolicyFixture;
import dev.avocet.testkit.TestBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.qpid.jms.JmsConnectionFactory;

/** Qpid JMS against a broker in the test's process; everything is closed with it. */
public final class QpidJms implements AutoCloseable {
    private final TestBroker broker;
    private final List<Connection> connections = new ArrayList<>();
    private final List<JMSContext> contexts = new ArrayList<>();

    private QpidJms(TestBroker broker) {
        this.broker = broker;
    }

    /** With a broker of one loop that lets everybody in. */
    public static QpidJms start() {
        return start(TestBroker.with(frontEnd()));
    }

    public static QpidJms start(TestBroker.Builder broker) {
        return new QpidJms(broker.start());
    }

    /** The front end, for who lets everybody in. */
    public static Function<Broker, FrontEnd> frontEnd() {
        return frontEnd(new AnonymousAdmission(new AnonymousAuthenticator()));
    }

    public static Function<Broker, FrontEnd> frontEnd(Authenticator authenticator) {
        return frontEnd(authenticator, AmqpOptions.DEFAULT);
    }

    public static Function<Broker, FrontEnd> frontEnd(Authenticator authenticator, AmqpOptions options) {
        return broker -> new AmqpFrontEnd(new AmqpConnections(broker, options, authenticator, new ContainerIds()));
    }

    public TestBroker broker() {
        return broker;
    }

    /** What the wiring does when the configuration has changed. */
    public void apply(PolicyFixture fixture) {
        Configuration configuration = fixture.configuration();
        broker.policies().apply(configuration, PolicyFixture.ENDPOINT);
        broker.broker().applyPolicies(configuration);
        broker.broker().administered().apply(configuration);
        broker.settle();
    }

    public JmsConnectionFactory factory() {
        return factory("");
    }

    /** @param options as in a URL behind the question mark */
    public JmsConnectionFactory factory(String options) {
        return new JmsConnectionFactory("amqp://127.0.0.1:" + broker.port() + options + (options.isEmpty() ? "?" : "&")
                + "jms.connectTimeout=60000&jms.requestTimeout=60000");
    }

    /** A started connection. */
    public Connection connect() throws JMSException {
        return connect(null);
    }

    public Connection connect(String clientId) throws JMSException {
        JmsConnectionFactory factory = factory();
        if (clientId != null) {
            factory.setClientID(clientId);
        }
        Connection made = factory.createConnection();
        connections.add(made);
        made.start();
        return made;
    }

    public JMSContext context(int mode) {
        JMSContext made = factory().createContext(mode);
        contexts.add(made);
        return made;
    }

    @Override
    public void close() throws JMSException {
        contexts.forEach(JMSContext::close);
        for (Connection each : connections) {
            each.close();
        }
        broker.close();
    }
}
