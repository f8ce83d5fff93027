package dev.avocet.core.store.inspect;

import java.nio.file.Path;

/**
 * A checkpoint, as seen from outside.
 *
 * @param position where recovery goes on in the journal, as of {@link dev.avocet.core.journal.Position}
 * @param wallMs when it was taken, in milliseconds since 1970; meaningless unless {@code whole}
 * @param whole false when it is damaged
 */
public record CheckpointStat(long number, Path file, long sizeBytes, long position, long wallMs, boolean whole) {}
