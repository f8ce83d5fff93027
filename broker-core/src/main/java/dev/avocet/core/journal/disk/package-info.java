/**
 * The files under a journal and a store: what is asked of a disk, the disk itself, files whose room is reserved, and
 * the fuse that keeps a failed one from being used on.
 */
@NullMarked
package dev.avocet.core.journal.disk;

import org.jspecify.annotations.NullMarked;
