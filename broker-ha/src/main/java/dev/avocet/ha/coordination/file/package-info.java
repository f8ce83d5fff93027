/**
 * The register in a directory on a disk that both nodes share.
 *
 * <p>Owner: any thread; it has threads of its own.
 *
 * <p>May depend on: coordination.
 *
 * <p>Start at {@link dev.avocet.ha.coordination.file.FileCoordinator}.
 */
@NullMarked
package dev.avocet.ha.coordination.file;

import org.jspecify.annotations.NullMarked;
