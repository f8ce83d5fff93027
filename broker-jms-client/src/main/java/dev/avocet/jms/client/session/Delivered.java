package dev.avocet.jms.client.session;

import org.apache.qpid.protonj2.engine.IncomingDelivery;

/** A message that the application has and that is not acknowledged. */
record Delivered(JmsConsumer consumer, IncomingDelivery delivery) {}
