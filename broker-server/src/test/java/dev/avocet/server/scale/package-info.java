/**
 * Measurements of a whole broker that has a JVM of its own, so that its heap holds nothing else. The long forms are
 * tagged {@code soak}; their figures stand in docs/measurements.md.
 */
@NullMarked
package dev.avocet.server.scale;

import org.jspecify.annotations.NullMarked;
