/**
 * Bytes that survive: a log of records in segments, and the group commit that makes them durable.
 *
 * <p>Owner: the {@code journal} thread appends, the {@code journal-commit} thread forces;
 * {@link dev.avocet.core.journal.Journal} says what other threads may call. Knows nothing of what the records mean.
 *
 * <p>May depend on: loop, time, metrics. Must not know messages, queues or protocols.
 *
 * <p>Start at {@link dev.avocet.core.journal.Journal}, then {@link dev.avocet.core.journal.commit.GroupCommit}.
 */
@NullMarked
package dev.avocet.core.journal;

import org.jspecify.annotations.NullMarked;
