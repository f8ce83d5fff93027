/**
 * Sessions and retained messages on their way from one broker to another: the records of an export, and how they
 * are taken out of a running broker and into one.
 *
 * <p>Start at {@link dev.avocet.core.store.transfer.SessionExport}.
 */
@NullMarked
package dev.avocet.core.store.transfer;

import org.jspecify.annotations.NullMarked;
