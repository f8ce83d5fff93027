/**
 * The configuration as a whole: an immutable snapshot of all objects, the changes that lead from one to the next, and
 * the rules that hold between objects.
 *
 * <p>Owner thread: none; a {@link dev.avocet.core.config.Configuration} may be read by any thread. May depend on:
 * core.config.object, core.config.schema, core.config.value. Start reading at
 * {@link dev.avocet.core.config.Configuration}.
 */
@NullMarked
package dev.avocet.core.config;

import org.jspecify.annotations.NullMarked;
