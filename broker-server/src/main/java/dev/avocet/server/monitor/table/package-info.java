/**
 * What is asked about many things of one kind, and the table that answers: the columns, which things are meant, which
 * of them are shown and in what order; or, of a thing that there is once, its one row.
 *
 * <p>Owner thread: the caller's. What belongs to a loop is asked of that loop by {@code Loops}, and the caller waits.
 * May depend on: the core, Jackson's streaming half. Start reading at
 * {@link dev.avocet.server.monitor.table.Monitored}, then {@link dev.avocet.server.monitor.table.Table}.
 */
@NullMarked
package dev.avocet.server.monitor.table;

import org.jspecify.annotations.NullMarked;
