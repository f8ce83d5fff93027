package dev.avocet.jms.client.session;

import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.jspecify.annotations.Nullable;

/** A message in a consumer's cache. */
record Arrived(byte[] message, @Nullable IncomingDelivery delivery) {}
