/**
 * What the whole broker survives: SIGKILL, a full disk, a disk that fails. Parties are clients with an account of their
 * own; what they were told is held against what they get. Begin with {@link dev.avocet.dist.fault.KillTest}.
 */
@NullMarked
package dev.avocet.dist.fault;

import org.jspecify.annotations.NullMarked;
