package dev.avocet.core.store;

import dev.avocet.core.journal.Batch;
import dev.avocet.core.loop.IoLoop;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A record in the making, and what is to be done once it is durable. Owned by its loop. */
final class WrittenBatch {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenBatch.class);

    final Batch batch;
    final EntryWriter entries;
    final List<CommitAction> actions = new ArrayList<>();
    /** What the record ends. */
    final SegmentReleases releases = new SegmentReleases();

    WrittenBatch(IoLoop loop, Batch.Completion completion) {
        batch = new Batch(loop, completion);
        entries = new EntryWriter(batch.buffer());
    }

    /** Does what waits; an action that fails ends alone. Actions may add further ones. */
    void run(long position) {
        for (int i = 0; i < actions.size(); i++) {
            try {
                actions.get(i).onCommitted(position);
            } catch (RuntimeException | Error e) {
                LOG.error("What follows a commit has failed", e);
            }
        }
    }

    void clear() {
        batch.clear();
        actions.clear();
    }
}
