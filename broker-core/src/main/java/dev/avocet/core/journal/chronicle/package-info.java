/**
 * The journal on Chronicle Queue, {@link dev.avocet.core.journal.chronicle.ChronicleJournal}.
 */
@NullMarked
package dev.avocet.core.journal.chronicle;

import org.jspecify.annotations.NullMarked;
