package dev.avocet.server.certificates;

import java.time.Instant;

/**
 * A file that an administrator has uploaded.
 *
 * @param name without a folder
 * @param modified when it was uploaded last
 */
public record UploadedFile(String name, long sizeBytes, Instant modified) {}
