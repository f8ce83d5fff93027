package dev.avocet.core.journal;

import java.nio.file.Path;

/**
 * A part of the journal that is dropped as a whole.
 *
 * @param number from 1; grows
 * @param sizeBytes room on disk that it takes
 * @param file where it is
 */
public record Segment(int number, long sizeBytes, Path file) {}
