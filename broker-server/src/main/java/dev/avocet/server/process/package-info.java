/**
 * The process around the broker: exit codes, the folders that it owns, addresses, signals, and the archive of classes
 * for the next start.
 *
 * <p>Owner thread: main, unless a class says otherwise. May depend on: config, rest.service, store. Must not know the
 * server.
 */
@NullMarked
package dev.avocet.server.process;

import org.jspecify.annotations.NullMarked;
