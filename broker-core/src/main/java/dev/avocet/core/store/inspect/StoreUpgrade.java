package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.former.FormerJournal;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import dev.avocet.core.store.checkpoint.CheckpointWriter;
import dev.avocet.core.store.checkpoint.StateCheckpoint;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.image.Recovery;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes a store of today's format of one of the first: reads the old one as a recovery does, writes what is alive of it
 * into a new store beside it, and gives each the other's name. The old one is kept. No broker may run on it: the caller
 * sees to that. Blocks on the disk.
 *
 * <p>A crash leaves the old store under its name until the new one is complete; what is left then is a rename, which
 * {@link #finish} does.
 */
public final class StoreUpgrade {
    private static final String UNFINISHED = ".upgrade";
    private static final String COMPLETE = ".upgraded";
    private static final String KEPT = ".before-upgrade";

    private final Storage storage;
    private final Path directory;
    private final Formats formats;
    private final ProtocolStates protocolStates;
    private final Clock clock;

    /**
     * @param directory of the store
     * @param formats of properties that the front ends use
     * @param protocolStates makes what the front end keeps with sessions
     */
    public StoreUpgrade(
            Storage storage,
            Path directory,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            Clock clock) {
        this.storage = storage;
        this.directory = directory.toAbsolutePath().normalize();
        this.formats = new Formats(formats);
        this.protocolStates = protocolStates;
        this.clock = clock;
    }

    /**
     * Upgrades.
     *
     * @param journalName of the directory of the journal in that of the store
     * @param opener opens a journal of the same kind in today's format, in an empty directory
     * @throws JournalException when it could not be done; the store is as it was then
     */
    public StoreUpgraded run(String journalName, Opener opener) throws JournalException {
        try {
            requireNothingKept();
            Path unfinished = beside(UNFINISHED);
            deleteAll(unfinished);
            deleteAll(beside(COMPLETE));
            StoreUpgraded done;
            try (FormerJournal former = FormerJournal.open(storage, directory.resolve(journalName))) {
                RecoveredState state = recover(former, directory);
                done = write(former, state, unfinished, unfinished.resolve(journalName), opener);
            }
            storage.forceDirectory(unfinished);
            storage.rename(unfinished, beside(COMPLETE));
            forceParent();
            storage.rename(directory, beside(KEPT));
            forceParent();
            storage.rename(beside(COMPLETE), directory);
            forceParent();
            return done;
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException(
                    "the store in " + directory + " cannot be upgraded: " + e.getMessage()
                            + ". What it holds is as it was, there or in " + beside(KEPT),
                    e);
        }
    }

    /** Finishes an upgrade that a crash has interrupted when nothing was left of it but a rename. */
    public static void finish(Storage storage, Path directory) throws IOException {
        Path store = directory.toAbsolutePath().normalize();
        Path complete = store.resolveSibling(store.getFileName() + COMPLETE);
        if (!exists(storage, store) && exists(storage, complete)) {
            storage.rename(complete, store);
            Path parent = store.getParent();
            if (parent != null) {
                storage.forceDirectory(parent);
            }
        }
    }

    private StoreUpgraded write(
            FormerJournal former, RecoveredState state, Path newDirectory, Path journalDirectory, Opener opener)
            throws IOException {
        storage.createDirectories(newDirectory);
        MovedPlaces places = new MovedPlaces(state);
        int epoch = state.lastEpoch() + 1;
        long sequence = writeFirstSegment(journalDirectory, opener, epoch);
        try (Journal target = opener.open(journalDirectory, false)) {
            int first = target.segments().get(0).number();
            target.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
            target.begin(epoch + 1);
            sequence = places.copy(former, target, epoch + 1, sequence + 1);
            long number = state.nextCheckpoint();
            long position = target.end();
            append(EntryKind.CHECKPOINT, number + 1, target, epoch + 1, sequence + 1);
            // Two of them, for the case that one is damaged, as there always are.
            for (long each = number; each <= number + 1; each++) {
                CheckpointHeader header = new CheckpointHeader(
                        each,
                        position,
                        state.nextSessionId(),
                        state.nextQueueId(),
                        sequence,
                        epoch + 1,
                        clock.wallTimeMs(),
                        target.storeId());
                writeCheckpoint(header, state, places, newDirectory);
            }
            // The log alone would say too little: without it, and without checkpoints, the store is not opened.
            target.drop(first);
        }
        check(state, newDirectory, journalDirectory, opener);
        return new StoreUpgraded(
                state.sessions().size(),
                state.queues().size(),
                state.references() - state.retained().size(),
                state.retained().size(),
                state.prepared().size(),
                places.count(),
                places.bytes(),
                beside(KEPT));
    }

    private long writeFirstSegment(Path journalDirectory, Opener opener, int epoch) throws JournalException {
        try (Journal target = opener.open(journalDirectory, true)) {
            target.begin(epoch);
            append(EntryKind.EPOCH, clock.wallTimeMs(), target, epoch, 1);
        }
        return 1;
    }

    private static void append(EntryKind kind, long value, Journal target, int epoch, long sequence)
            throws JournalException {
        RecordBuffer record = new RecordBuffer(RecordHeader.BYTES + Long.BYTES * 4);
        record.reset(RecordHeader.BYTES);
        EntryWriter out = new EntryWriter(record);
        out.begin(kind);
        out.number(value);
        out.end();
        MovedPlaces.append(record, target, epoch, sequence, 1);
    }

    private void writeCheckpoint(CheckpointHeader header, RecoveredState state, MovedPlaces places, Path newDirectory)
            throws JournalException {
        CheckpointWriter writer = CheckpointWriter.begin(storage, newDirectory, header, clock);
        boolean whole = false;
        try {
            new StateCheckpoint(state, position -> !places.has(position), places::now, clock).writeTo(writer);
            writer.finishBeside();
            whole = true;
        } finally {
            if (!whole) {
                writer.abort();
            }
        }
    }

    /** The new store must open, and hold as much as the old one. */
    private void check(RecoveredState state, Path newDirectory, Path journalDirectory, Opener opener)
            throws JournalException {
        try (Journal target = opener.open(journalDirectory, false)) {
            RecoveredState now = new Recovery(target, storage, newDirectory, formats, protocolStates, clock).read();
            if (now.sessions().size() != state.sessions().size()
                    || filledQueues(now) != filledQueues(state)
                    || now.references() != state.references()
                    || now.places() != state.places()
                    || now.prepared().size() != state.prepared().size()) {
                throw new JournalException("the new store in " + newDirectory
                        + " does not hold what the old one does. Please report this; the old one is as it was");
            }
        }
    }

    /** Some of those that are empty may be over: two queues may have become one. */
    private static long filledQueues(RecoveredState state) {
        return state.queues().stream().filter(queue -> queue.size() > 0).count();
    }

    private RecoveredState recover(Journal journal, Path checkpoints) throws JournalException {
        return new Recovery(journal, storage, checkpoints, formats, protocolStates, clock).read();
    }

    private void requireNothingKept() throws IOException {
        if (exists(storage, beside(KEPT))) {
            throw new JournalException(beside(KEPT) + " is in the way, which an earlier upgrade has kept:"
                    + " move it elsewhere, or delete it when you do not need it. Nothing was changed");
        }
    }

    private Path beside(String suffix) {
        return directory.resolveSibling(directory.getFileName() + suffix);
    }

    private void forceParent() throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            storage.forceDirectory(parent);
        }
    }

    private static boolean exists(Storage storage, Path path) throws IOException {
        try {
            storage.list(path);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** What an attempt has left that did not come to its end. */
    private void deleteAll(Path path) throws IOException {
        try {
            for (Path entry : storage.list(path)) {
                deleteAll(entry);
            }
        } catch (NoSuchFileException e) {
            return;
        } catch (NotDirectoryException e) {
            // a file
        }
        storage.delete(path);
    }

    /** Opens a journal. */
    @FunctionalInterface
    public interface Opener {
        /**
         * @param path its directory
         * @param isSmall when its segments are to be as small as they may be: next to nothing is written
         */
        Journal open(Path path, boolean isSmall) throws JournalException;
    }
}
