package dev.avocet.bench.jms.traffic;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;

/** Makes connections to one broker, with the user and the password that the run was given. */
@FunctionalInterface
public interface ConnectionSource {
    Connection connect() throws JMSException;
}
