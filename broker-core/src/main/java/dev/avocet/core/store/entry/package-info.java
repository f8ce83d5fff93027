/**
 * What stands in the records of the journal: the kinds of entries, how each is written and read, and what a session
 * and a subscription are in them. It knows neither segments nor the running broker.
 *
 * <p>Start at {@link dev.avocet.core.store.entry.EntryKind}.
 */
@NullMarked
package dev.avocet.core.store.entry;

import org.jspecify.annotations.NullMarked;
