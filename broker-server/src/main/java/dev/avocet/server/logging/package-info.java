/**
 * How much is written to the log and to the trace, as the configuration says at this time.
 *
 * <p>Owner thread: {@code configuration} changes the levels, {@code trace} writes the file; lines come from every
 * thread. May depend on: server.objects, core.broker, core.config, core.trace, Logback. Start reading at
 * {@link dev.avocet.server.logging.LogControl}.
 */
@NullMarked
package dev.avocet.server.logging;

import org.jspecify.annotations.NullMarked;
