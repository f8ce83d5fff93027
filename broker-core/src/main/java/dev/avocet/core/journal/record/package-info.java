/**
 * The bytes of a record: how they are written and read, and what stands around them in each format. Appending and
 * scanning use it.
 */
@NullMarked
package dev.avocet.core.journal.record;

import org.jspecify.annotations.NullMarked;
