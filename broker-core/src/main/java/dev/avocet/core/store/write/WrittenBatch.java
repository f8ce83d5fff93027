package dev.avocet.core.store.write;

import dev.avocet.core.journal.commit.Batch;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.place.SegmentReleases;
import dev.avocet.core.store.place.SegmentTable;
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
    SegmentReleases releases;
    /** The next record belongs to it: what waits for this one waits for that one, too. */
    boolean continued;

    WrittenBatch(IoLoop loop, SegmentTable segments, Batch.Completion completion) {
        releases = new SegmentReleases(segments);
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

    /** Has the next record, which is empty so far, take over what is to be done once all is durable. */
    void continueIn(WrittenBatch next) {
        continued = true;
        SegmentReleases empty = next.releases;
        next.releases = releases;
        releases = empty;
    }

    /** This record is durable: what waits does so for the next one. */
    void passOn(long position, WrittenBatch next) {
        List<CommitAction> passed = new ArrayList<>(actions.size() + next.actions.size());
        for (CommitAction action : actions) {
            passed.add(unused -> action.onCommitted(position));
        }
        next.actions.addAll(0, passed);
    }

    void clear() {
        batch.clear();
        actions.clear();
        continued = false;
    }
}
