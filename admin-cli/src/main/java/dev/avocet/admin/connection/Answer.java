package dev.avocet.admin.connection;

import org.jspecify.annotations.Nullable;

/**
 * What the broker answered.
 *
 * @param body JSON
 * @param isPending whether what was asked for happens later
 * @param version of the configuration that it shows, as the broker wrote it; null where it has none
 */
public record Answer(
        String body, boolean isPending, @Nullable String version) {}
