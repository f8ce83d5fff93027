/**
 * Which connections are traced, and how much of them. What is traced is formatted by the front ends and written by
 * the {@link dev.avocet.core.trace.TraceSink}.
 *
 * <p>Owner thread: none; immutable values behind a volatile field. May depend on: config, security. Start reading at
 * {@link dev.avocet.core.trace.Tracer}.
 */
@NullMarked
package dev.avocet.core.trace;

import org.jspecify.annotations.NullMarked;
