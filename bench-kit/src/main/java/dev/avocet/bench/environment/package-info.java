/**
 * Where a run was made: a figure says nothing without it.
 *
 * <p>May depend on: the JDK. Start reading at {@link dev.avocet.bench.environment.Environment}.
 */
@NullMarked
package dev.avocet.bench.environment;

import org.jspecify.annotations.NullMarked;
