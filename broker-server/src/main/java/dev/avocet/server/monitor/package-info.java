/**
 * What can be asked of a running broker: which things there are to look at, what each tells of itself, and how some
 * figures were in the last day. How a question and its answer are made up is in {@code monitor.table}.
 *
 * <p>Owner thread: the caller's, an {@code admin} thread mostly, which waits for the loops to tell about what is
 * theirs; the thread {@code history} takes samples. May depend on: server.monitor.table, server.store, the core,
 * Micrometer, Jackson's streaming half. Start reading at {@link dev.avocet.server.monitor.Monitor}.
 */
@NullMarked
package dev.avocet.server.monitor;

import org.jspecify.annotations.NullMarked;
