/**
 * Commands for a run that goes on, line by line from a terminal or a named pipe.
 *
 * <p>{@link dev.avocet.bench.prompt.CommandLines} has a thread of its own that reads lines and hands them on; it is a
 * daemon, since a read cannot be ended. May depend on: the JDK. Start reading at
 * {@link dev.avocet.bench.prompt.CommandLines}.
 */
@NullMarked
package dev.avocet.bench.prompt;

import org.jspecify.annotations.NullMarked;
