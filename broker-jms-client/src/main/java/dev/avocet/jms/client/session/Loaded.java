package dev.avocet.jms.client.session;

import java.util.List;
import org.apache.qpid.protonj2.engine.IncomingDelivery;

/** Messages that a connection consumer has brought to the session of a server session. */
record Loaded(JmsConsumer consumer, List<IncomingDelivery> messages) {}
