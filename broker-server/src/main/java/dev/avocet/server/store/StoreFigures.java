package dev.avocet.server.store;

import dev.avocet.core.journal.commit.CommitSnapshot;
import dev.avocet.core.store.reclaim.StoreStatistics;

/**
 * All figures of a store, taken at about the same time.
 *
 * @param acceptsMessages false while messages are refused because the disk is full
 * @param failed true once the disk has failed; the process is about to end
 * @param pendingBytes handed to the journal and not yet committed
 * @param contents what it holds, and how it gives disk back
 * @param commits what was committed
 */
public record StoreFigures(
        boolean acceptsMessages, boolean failed, long pendingBytes, StoreStatistics contents, CommitSnapshot commits) {}
