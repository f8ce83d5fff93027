package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.image.StoreImage;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node that is fed the durable records of another one, and may get some of what they say wrong. */
final class ModelFollower {
    private static final Path SCRATCH = Path.of("follower");
    private static final UUID STORE_ID = new UUID(1, 2);

    private final Path directory;
    private final ManualClock clock;
    private final @Nullable EntryKind unheard;
    private StoreImage image = StoreImage.empty(ModelBroker.formats(), NoteState::new);
    private long checkpoints;

    /** @param unheard what it takes no notice of; null for nothing */
    ModelFollower(Path directory, ManualClock clock, @Nullable EntryKind unheard) {
        this.directory = directory;
        this.clock = clock;
        this.unheard = unheard;
    }

    /** Takes the records that are durable on a disk and that it has not. */
    void feed(FaultyStorage storage) throws JournalException {
        FaultyStorage durable = storage.copy();
        durable.losePower(null);
        ModelBroker.journal(durable, directory).scan(image.from(), applying(image));
    }

    /** The queues that live as far as it has heard. */
    Set<Long> queuesAlive() {
        return image.state().queues().stream()
                .filter(RecoveredQueue::isAlive)
                .map(RecoveredQueue::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Begins anew with a checkpoint of its own. */
    void restart() throws JournalException {
        FaultyStorage scratch = new FaultyStorage();
        image = copy(scratch);
    }

    /** What there would be if it took over now, with the records that are on a disk. */
    RecoveredState takeOver(FaultyStorage disk) throws JournalException {
        StoreImage copy = copy(new FaultyStorage());
        return copy.handOver(ModelBroker.journal(disk, directory).scan(copy.from(), applying(copy)));
    }

    private StoreImage copy(FaultyStorage scratch) throws JournalException {
        image.writeCheckpoint(scratch, SCRATCH, STORE_ID, ++checkpoints, clock);
        return StoreImage.ofCheckpoint(
                scratch,
                new CheckpointFiles(scratch, SCRATCH).file(checkpoints),
                STORE_ID,
                ModelBroker.formats(),
                NoteState::new);
    }

    private RecordVisitor applying(StoreImage to) {
        return (position, bytes, offset, length) -> {
            byte[] heard = bytes;
            int from = offset;
            if (unheard != null) {
                heard = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
                from = 0;
                hush(heard);
            }
            to.apply(position, heard, from, length);
            to.apply(position, heard, from, length); // what comes twice changes nothing
        };
    }

    /** Makes entries of a kind say nothing. */
    private void hush(byte[] bytes) {
        int at = RecordHeader.BYTES;
        while (at < bytes.length) {
            int rest = java.nio.ByteBuffer.wrap(bytes).getInt(at + 1);
            if (unheard != null && bytes[at] == unheard.number()) {
                bytes[at] = (byte) EntryKind.EPOCH.number();
            }
            at += EntryFormat.PREFIX_BYTES + rest;
        }
    }
}
