package dev.avocet.dist.pair;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import org.apache.qpid.jms.JmsConnectionFactory;

/** Qpid JMS with both nodes of a pair, as docs/jms.md shows it. */
final class QpidPair {
    private QpidPair() {}

    static Connection connect(String node1, String node2) throws JMSException {
        // sample
        Connection connection = new JmsConnectionFactory("failover:(amqp://" + node1 + ",amqp://" + node2 + ")"
                        + "?failover.reconnectDelay=100&failover.maxReconnectDelay=1000")
                .createConnection();
        connection.start();
        // end
        return connection;
    }
}
