package dev.avocet.core.store.image;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what an earlier life of the broker left: the newest checkpoint that is whole, and what the journal says from
 * its position on. One use, on one thread, before the journal begins.
 */
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long FIRST_SEGMENT = 1;

    private final Journal journal;
    private final CheckpointFiles files;
    private final Formats formats;
    private final ProtocolStates protocolStates;
    private final @Nullable ReferencePages pages;
    private final Clock clock;
    private final long startedNs;
    private long reportedNs;

    /** Reads all of it onto the heap. */
    public Recovery(
            Journal journal,
            Storage storage,
            Path directory,
            Formats formats,
            ProtocolStates protocolStates,
            Clock clock) {
        this(journal, storage, directory, formats, protocolStates, null, clock);
    }

    /**
     * @param directory where the checkpoints lie
     * @param pages for references that the heap has no room for; null where there is no file
     */
    public Recovery(
            Journal journal,
            Storage storage,
            Path directory,
            Formats formats,
            ProtocolStates protocolStates,
            @Nullable ReferencePages pages,
            Clock clock) {
        this.pages = pages;
        this.journal = journal;
        this.files = new CheckpointFiles(storage, directory);
        this.formats = formats;
        this.protocolStates = protocolStates;
        this.clock = clock;
        startedNs = clock.nanoTime();
        reportedNs = startedNs;
    }

    /**
     * Reads everything.
     *
     * @throws CorruptJournalException when something is damaged that had been durable: an administrator has to decide
     */
    public RecoveredState read() throws JournalException {
        StoreImage image = image();
        long checkpointNs = clock.nanoTime();
        long from = image.from();
        ScanResult found = journal.scan(from, (at, bytes, offset, length) -> {
            image.apply(at, bytes, offset, length);
            reportProgress(at, image.entries());
        });
        RecoveredState state = image.handOver(found);
        requireSegments(state);
        LOG.info(
                "Recovered {} sessions, {} queues, {} references and {} retained messages: checkpoint in {} ms, {} entries"
                        + " of {} records from {} in {} ms",
                state.sessions().size(),
                state.queues().size(),
                state.references() - state.retained().size(),
                state.retained().size(),
                millis(checkpointNs - startedNs),
                image.entries(),
                found.records(),
                Position.show(from),
                millis(clock.nanoTime() - checkpointNs));
        if (found.tornTails() > 0) {
            LOG.info(
                    "The last write of {} earlier lives was unfinished; the broker had not acknowledged it",
                    found.tornTails());
        }
        return state;
    }

    /** What the newest checkpoint says that is whole; the journal has to be read from its position on. */
    public StoreImage image() throws JournalException {
        try {
            files.deleteUnfinished();
            List<Long> numbers = files.numbers();
            for (long number : numbers) {
                StoreImage image = readCheckpoint(number);
                if (image != null) {
                    image.state().reserve(1, 1, numbers.get(0) + 1);
                    return image;
                }
            }
            requireWholeLog(numbers);
            StoreImage image = StoreImage.empty(formats, protocolStates, pages);
            image.state().reserve(1, 1, numbers.isEmpty() ? 1 : numbers.get(0) + 1);
            return image;
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException(files.directory() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Null when the checkpoint is damaged, so that an older one is needed. */
    private @Nullable StoreImage readCheckpoint(long number) throws IOException {
        Path file = files.file(number);
        try {
            StoreImage image =
                    StoreImage.ofCheckpoint(files.storage(), file, journal.storeId(), formats, protocolStates, pages);
            LOG.info("Checkpoint {} tells what there was before {}", number, Position.show(image.from()));
            return image;
        } catch (CorruptJournalException e) {
            LOG.warn("{}. It is put aside, and an older checkpoint is used", e.getMessage());
            files.putAside(number, "damaged");
            return null;
        }
    }

    /** Without a checkpoint the log must be there from its beginning. */
    private void requireWholeLog(List<Long> damaged) throws JournalException {
        List<Segment> segments = journal.segments();
        if (!segments.isEmpty() && segments.get(0).number() != FIRST_SEGMENT) {
            Path missing = damaged.isEmpty() ? files.directory() : files.file(damaged.get(0));
            throw new CorruptJournalException(
                    missing,
                    0,
                    "there is no checkpoint to be read, and the journal begins with segment "
                            + segments.get(0).number() + " only: what lay before it is lost");
        }
    }

    /** What is alive must be there. */
    private void requireSegments(RecoveredState state) throws JournalException {
        MissingSegments missing = new MissingSegments(journal.map(), journal.end());
        state.forEachPlace(missing);
        missing.throwIfAny();
    }

    private void reportProgress(long at, long entries) {
        long nowNs = clock.nanoTime();
        if (nowNs - reportedNs >= PROGRESS_NS) {
            reportedNs = nowNs;
            LOG.info(
                    "Recovery goes on: {} entries, up to {}, after {} s",
                    entries,
                    Position.show(at),
                    TimeUnit.NANOSECONDS.toSeconds(nowNs - startedNs));
        }
    }

    private static long millis(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
