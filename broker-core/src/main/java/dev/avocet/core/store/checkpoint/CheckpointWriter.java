package dev.avocet.core.store.checkpoint;

import dev.avocet.core.destination.NamedQueue;
import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.entry.SessionSnapshot;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.store.write.StoreDestinations;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.RetainedPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one checkpoint, as it comes and never whole in memory: {@link #begin}, then transactions, sessions, queues and
 * retained messages in any order, then {@link #finish} or {@link #abort}. Until it is finished nothing of it counts.
 *
 * <p>The thread {@code store-checkpoint}.
 */
public final class CheckpointWriter implements Checkpointing.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointWriter.class);
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int PIECE_REFERENCES = 4096;

    private final CheckpointFiles files;
    private final Clock clock;
    private final CheckpointHeader header;
    private final CheckpointStop stop;
    private final StorageFile file;
    private final CheckpointOutput out;

    private final RecordBuffer sessions = CheckpointOutput.newContent(BLOCK_BYTES);
    private final RecordBuffer references = CheckpointOutput.newContent(BLOCK_BYTES);
    private final RecordBuffer retained = CheckpointOutput.newContent(BLOCK_BYTES);
    private final RecordBuffer transactions = CheckpointOutput.newContent(BLOCK_BYTES);
    private final Piece piece = new Piece();
    private long sessionCount;
    private long referenceCount;
    private long retainedCount;

    private CheckpointWriter(
            CheckpointFiles files, Clock clock, CheckpointHeader header, CheckpointStop stop, StorageFile file) {
        this.files = files;
        this.clock = clock;
        this.header = header;
        this.stop = stop;
        this.file = file;
        out = new CheckpointOutput(file);
    }

    /** Begins a checkpoint; what an earlier attempt with the same number has left is replaced. */
    public static CheckpointWriter begin(Storage storage, Path directory, CheckpointHeader header, Clock clock)
            throws JournalException {
        return begin(storage, directory, header, new CheckpointStop(), clock);
    }

    /**
     * The same.
     *
     * @param stop has it given up: then a {@link CheckpointGivenUpException} is thrown by what comes next
     */
    public static CheckpointWriter begin(
            Storage storage, Path directory, CheckpointHeader header, CheckpointStop stop, Clock clock)
            throws JournalException {
        stop.check();
        CheckpointFiles files = new CheckpointFiles(storage, directory);
        Path unfinished = files.unfinished(header.number());
        try {
            storage.createDirectories(files.directory());
            storage.delete(unfinished);
            CheckpointWriter writer = new CheckpointWriter(files, clock, header, stop, storage.create(unfinished));
            writer.writeHeader();
            return writer;
        } catch (IOException e) {
            throw failed(unfinished, e);
        }
    }

    @Override
    public void session(SessionSnapshot session) throws JournalException {
        session(session.entries(), 0, session.entries().length);
        for (QueueSnapshot queue : session.queues()) {
            queue(queue);
        }
    }

    /** Entries SESSION, SUBSCRIPTION and PROTOCOL of one session. */
    public void session(byte[] entries, int from, int to) throws JournalException {
        sessions.putRaw(entries, from, to - from);
        sessionCount++;
        writeIfFull(CheckpointBlock.SESSIONS, sessions);
    }

    @Override
    public void destination(NamedQueue queue) throws JournalException {
        destination(queue.queue().durableId(), queue.name(), queue.kind());
    }

    /** An entry QUEUE, among those of the sessions. */
    public void destination(long id, String name, QueueKind kind) throws JournalException {
        EntryWriter entries = new EntryWriter(sessions);
        entries.begin(EntryKind.QUEUE);
        StoreDestinations.describe(id, name, kind, entries);
        entries.end();
        writeIfFull(CheckpointBlock.SESSIONS, sessions);
    }

    @Override
    public void queue(QueueSnapshot queue) throws JournalException {
        piece.begin(queue.queueId(), queue.nextReference());
        try {
            queue.forEach(piece::add);
            piece.end();
        } catch (UncheckedIOException e) {
            throw failed(files.unfinished(header.number()), e.getCause());
        } catch (IOException e) {
            throw failed(files.unfinished(header.number()), e);
        }
    }

    @Override
    public void retained(RetainedPlace place) throws JournalException {
        retained(place.topic().getBytes(StandardCharsets.UTF_8), place.position(), place.storedBytes());
    }

    void retained(byte[] topic, long position, int storedBytes) throws JournalException {
        retained.putBytes(topic);
        retained.putVarLong(position);
        retained.putVarLong(storedBytes);
        retainedCount++;
        writeIfFull(CheckpointBlock.RETAINED, retained);
    }

    @Override
    public void transaction(RecoveredTransaction transaction) throws JournalException {
        TransactionPieces.write(transaction, transactions);
        writeIfFull(CheckpointBlock.TRANSACTIONS, transactions);
    }

    /**
     * Completes the checkpoint. When this returns it is durable and the newest one; but for the one before it, older
     * ones are gone.
     */
    public TakenCheckpoint finish() throws JournalException {
        finishBeside();
        files.deleteOld();
        return new TakenCheckpoint(header.number(), header.position());
    }

    /** The same, and leaves older ones where they are. */
    public void finishBeside() throws JournalException {
        try {
            stop.check();
            writeAll();
            RecordBuffer end = CheckpointOutput.newContent(BLOCK_BYTES);
            new CheckpointCounts(sessionCount, referenceCount, retainedCount).write(end);
            end.putInt(out.headersChecksum());
            out.write(CheckpointBlock.END, end);
            out.finish();
            files.publish(header.number());
        } catch (IOException e) {
            throw failed(files.file(header.number()), e);
        }
    }

    /** Gives the checkpoint up, after a failure for example. */
    public void abort() {
        try {
            file.close();
            files.storage().delete(files.unfinished(header.number()));
        } catch (IOException e) {
            LOG.warn("An unfinished checkpoint could not be deleted: {}", e.toString());
        }
    }

    private void writeHeader() throws IOException {
        RecordBuffer content = CheckpointOutput.newContent(BLOCK_BYTES);
        header.write(content);
        out.write(CheckpointBlock.BEGINNING, content);
    }

    private void writeIfFull(int type, RecordBuffer content) throws JournalException {
        try {
            if (content.length() >= BLOCK_BYTES) {
                stop.check();
                out.write(type, content);
            }
        } catch (IOException e) {
            throw failed(files.unfinished(header.number()), e);
        }
    }

    private void writeAll() throws IOException {
        write(CheckpointBlock.SESSIONS, sessions);
        write(CheckpointBlock.REFERENCES, references);
        write(CheckpointBlock.RETAINED, retained);
        write(CheckpointBlock.TRANSACTIONS, transactions);
    }

    private void write(int type, RecordBuffer content) throws IOException {
        if (content.length() > CheckpointBlock.HEADER_BYTES) {
            out.write(type, content);
        }
    }

    private static JournalException failed(Path file, @Nullable IOException cause) {
        if (cause instanceof CheckpointGivenUpException givenUp) {
            return givenUp;
        }
        return new JournalException(
                file + " cannot be written: " + (cause == null ? "unknown" : cause.getMessage()), cause);
    }

    /** References of one queue as far as they go into a block together. */
    private final class Piece {
        private final RecordBuffer content = new RecordBuffer(BLOCK_BYTES);
        private final EntryWriter entries = new EntryWriter(content);
        private long queueId;
        private long nextReference;
        private int count;
        private long lastNumber;
        private long lastPosition;

        void begin(long id, long next) {
            queueId = id;
            nextReference = next;
            restart();
        }

        void add(long number, long position, int storedBytes, long deadlineNs, @Nullable DeliveryOptions options) {
            boolean expires = deadlineNs != Message.NEVER;
            content.putVarLong(CheckpointBlock.zigzag(number - lastNumber));
            content.putVarLong(CheckpointBlock.zigzag(position - lastPosition));
            content.putVarLong((long) storedBytes << CheckpointBlock.FLAG_BITS
                    | (expires ? CheckpointBlock.EXPIRES : 0)
                    | (options == null ? 0 : CheckpointBlock.OPTIONS));
            if (expires) {
                content.putLong(MessageEntry.wallMs(deadlineNs, clock));
            }
            if (options != null) {
                entries.options(options);
            }
            lastNumber = number;
            lastPosition = position;
            if (++count == PIECE_REFERENCES) {
                try {
                    end();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        /** Completes the piece; one without references tells which numbers were given out. */
        void end() throws IOException {
            stop.check();
            references.putVarLong(queueId);
            references.putVarLong(nextReference);
            references.putVarLong(count);
            references.putRaw(content.array(), 0, content.length());
            referenceCount += count;
            restart();
            if (references.length() >= BLOCK_BYTES) {
                out.write(CheckpointBlock.REFERENCES, references);
            }
        }

        private void restart() {
            content.reset(0);
            count = 0;
            lastNumber = 0;
            lastPosition = 0;
        }
    }
}
