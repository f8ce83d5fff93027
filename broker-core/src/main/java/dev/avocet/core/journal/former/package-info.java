/**
 * Reads journals of the first format, of both kinds, for {@code broker store upgrade}.
 */
@NullMarked
package dev.avocet.core.journal.former;

import org.jspecify.annotations.NullMarked;
