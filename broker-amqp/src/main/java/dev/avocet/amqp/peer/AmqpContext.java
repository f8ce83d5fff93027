package dev.avocet.amqp.peer;

import dev.avocet.amqp.codec.SymbolMemory;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.session.ConnectionLog;

/** What all AMQP connections of an endpoint work with. Immutable. */
public record AmqpContext(
        Broker broker,
        AmqpOptions options,
        Authenticator authenticator,
        ContainerIds containers,
        SymbolMemory symbols,
        ConnectionLog log) {}
