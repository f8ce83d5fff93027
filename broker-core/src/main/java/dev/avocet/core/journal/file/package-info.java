/**
 * The journal in plain files, {@link dev.avocet.core.journal.file.FileJournal}.
 */
@NullMarked
package dev.avocet.core.journal.file;

import org.jspecify.annotations.NullMarked;
