/**
 * How a command ends: exit codes, and errors that say what to do.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.outcome.AdminException}.
 */
@NullMarked
package dev.avocet.admin.outcome;

import org.jspecify.annotations.NullMarked;
