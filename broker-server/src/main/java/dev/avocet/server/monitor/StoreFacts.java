package dev.avocet.server.monitor;

import dev.avocet.server.store.StoreMonitor;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The store, for the monitor.
 *
 * @param mode such as {@code sync}
 * @param monitor null when nothing is kept on disk
 * @param directory where it is
 * @param memoryBytes how much of what is stored may be in memory as well
 */
public record StoreFacts(String mode, @Nullable StoreMonitor monitor, Path directory, long memoryBytes) {}
