package dev.avocet.server.store;

import dev.avocet.server.config.JournalKind;
import java.nio.file.Path;

/**
 * Where a store is, and what it is made of.
 *
 * @param directory absolute; exists
 * @param journal as configured
 * @param segmentBytes as configured
 */
public record StoreLocation(Path directory, JournalKind journal, int segmentBytes) {}
