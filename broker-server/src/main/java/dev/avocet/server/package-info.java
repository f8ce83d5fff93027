/**
 * The process: command line, exit codes, data directory, start and stop in order.
 *
 * <p>Owner thread: main, and the shutdown hook once the process is asked to stop. May depend on: every other package of
 * this module. Start reading at {@link dev.avocet.server.Main}, then {@link dev.avocet.server.Server}.
 */
@NullMarked
package dev.avocet.server;

import org.jspecify.annotations.NullMarked;
