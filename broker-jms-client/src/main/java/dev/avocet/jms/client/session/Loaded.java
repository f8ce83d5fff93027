package dev.avocet.jms.client.session;

import java.util.List;

/** Messages that a connection consumer has brought to the session of a server session. */
record Loaded(JmsConsumer consumer, List<Arrived> messages) {}
