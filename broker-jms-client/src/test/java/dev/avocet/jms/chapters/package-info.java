/**
 * The specification Jakarta Messaging 3.1, chapter by chapter, over nothing but {@code jakarta.jms}: the same tests for
 * each client and each server. A test names its section; where a run differs from the specification, that is said and
 * checked. {@link dev.avocet.jms.chapters.Chapter} is where to start reading.
 */
@NullUnmarked
package dev.avocet.jms.chapters;

import org.jspecify.annotations.NullUnmarked;
