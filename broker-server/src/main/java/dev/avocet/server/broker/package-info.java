/**
 * The seam between the process (command line, files, signals, administration) and the messaging broker that runs in it.
 *
 * <p>Owner thread: start and close are called by the main thread and by the one that stops the process. May depend on:
 * its rooms, server.config, server.store, server.system, the broker modules, Netty. Start reading at
 * {@link dev.avocet.server.broker.BrokerProcess}.
 */
@NullMarked
package dev.avocet.server.broker;

import org.jspecify.annotations.NullMarked;
