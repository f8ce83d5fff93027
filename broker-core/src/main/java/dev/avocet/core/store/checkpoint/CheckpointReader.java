package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.FormerStoreException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.replay.EntryReplay;
import dev.avocet.core.store.replay.RecoveredState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

/** Reads one checkpoint into a {@link RecoveredState}. One owner; one file. */
public final class CheckpointReader {
    private final Path path;
    private final StorageFile file;
    private final long size;
    private final UUID storeId;
    private final RecoveredState state;
    private final EntryReplay replay;
    private final ReferencePieces pieces;
    private final TransactionPieces transactions;
    private final RecordReader in = new RecordReader();
    private final EntryReader entries;
    private final byte[] head = new byte[CheckpointBlock.HEADER_BYTES];
    private final CRC32C headers = new CRC32C();
    private byte[] content = new byte[0];
    private long at;
    private int blocks;
    private long references;
    private long retained;

    private CheckpointReader(
            Path path,
            UUID storeId,
            StorageFile file,
            RecoveredState state,
            Formats formats,
            ProtocolStates protocolStates)
            throws IOException {
        this.path = path;
        this.storeId = storeId;
        this.file = file;
        this.size = file.sizeBytes();
        this.state = state;
        replay = new EntryReplay(state, formats, protocolStates);
        entries = new EntryReader(in, formats);
        pieces = new ReferencePieces(state, in, entries);
        transactions = new TransactionPieces(state, in, entries);
    }

    /**
     * Reads a checkpoint.
     *
     * @param storeId to which it must belong; {@link CheckpointHeader#NO_STORE} for one of the first format
     * @param state receives it, and is of no use when this fails
     * @throws CorruptJournalException when the file is damaged
     * @throws JournalException when it is whole and this version does not understand it
     */
    public static CheckpointHeader read(
            Storage storage,
            Path path,
            UUID storeId,
            RecoveredState state,
            Formats formats,
            ProtocolStates protocolStates)
            throws JournalException {
        try (StorageFile file = storage.openForReading(path)) {
            return new CheckpointReader(path, storeId, file, state, formats, protocolStates).read();
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            CorruptJournalException unreadable =
                    new CorruptJournalException(path, 0, "it cannot be read: " + e.getMessage());
            unreadable.initCause(e);
            throw unreadable;
        }
    }

    private CheckpointHeader read() throws IOException {
        int length = next();
        if (CheckpointBlock.type(head) != CheckpointBlock.BEGINNING) {
            throw damaged("it does not begin with a header");
        }
        CheckpointHeader header = CheckpointHeader.read(in.over(content, 0, length), isFormer());
        if (!header.storeId().equals(storeId)) {
            throw new JournalException(path + " belongs to the store " + header.storeId()
                    + ", and the journal beside it to the store " + storeId
                    + ": move the one elsewhere that does not belong here. Nothing was changed");
        }
        state.reserve(header.nextSessionId(), header.nextQueueId(), header.number() + 1);
        state.reserve(header.sequence(), header.epoch());
        while (true) {
            int headersBefore = (int) headers.getValue();
            length = next();
            in.over(content, 0, length);
            switch (CheckpointBlock.type(head)) {
                case CheckpointBlock.SESSIONS -> replay.applySessions(content, 0, length);
                case CheckpointBlock.REFERENCES -> references += pieces.read();
                case CheckpointBlock.RETAINED -> readRetained();
                case CheckpointBlock.TRANSACTIONS -> transactions.read();
                case CheckpointBlock.END -> {
                    readEnd(headersBefore);
                    return header;
                }
                default -> throw damaged("no block is of type " + CheckpointBlock.type(head));
            }
        }
    }

    /** Reads the next block and returns the length of its content. */
    private int next() throws IOException {
        if (size - at < CheckpointBlock.HEADER_BYTES) {
            throw damaged("it ends too early");
        }
        readFully(head, CheckpointBlock.HEADER_BYTES, at);
        if (!CheckpointBlock.isWhole(head)) {
            throw damaged("no block begins here");
        }
        requireKnownFormat();
        int length = CheckpointBlock.length(head);
        if (CheckpointBlock.number(head) != blocks || length < 0 || length > size - at - CheckpointBlock.HEADER_BYTES) {
            throw damaged("block " + blocks + " does not fit");
        }
        if (content.length < length) {
            content = new byte[length];
        }
        readFully(content, length, at + CheckpointBlock.HEADER_BYTES);
        if (!CheckpointBlock.isContent(head, content, length)) {
            throw damaged("the checksum of block " + blocks + " is wrong");
        }
        headers.update(head);
        blocks++;
        at += CheckpointBlock.HEADER_BYTES + length;
        return length;
    }

    private boolean isFormer() {
        return storeId.equals(CheckpointHeader.NO_STORE);
    }

    private void requireKnownFormat() throws JournalException {
        int magic = CheckpointBlock.magic(head);
        if (magic == (isFormer() ? CheckpointBlock.FORMER_MAGIC : CheckpointBlock.MAGIC)) {
            return;
        }
        if (magic == CheckpointBlock.FORMER_MAGIC) {
            throw new FormerStoreException(path);
        }
        throw new JournalException(path + " was written by another version, whose format this one does not read:"
                + " use that version, or a later one. Nothing was changed");
    }

    private void readRetained() throws JournalException {
        while (in.hasMore()) {
            String topic = entries.topic().text();
            state.retain(topic, in.readVarLong(), in.readVarInt());
            retained++;
        }
    }

    private void readEnd(int headersBefore) throws JournalException {
        CheckpointCounts counts = CheckpointCounts.read(in);
        if (in.readInt() != headersBefore
                || counts.references() != references
                || counts.retained() != retained
                || at != size) {
            throw damaged("its end does not belong to it");
        }
    }

    private void readFully(byte[] target, int length, long offset) throws IOException {
        if (file.readFully(ByteBuffer.wrap(target, 0, length), offset) < length) {
            throw damaged("it ends too early");
        }
    }

    private CorruptJournalException damaged(String reason) {
        return new CorruptJournalException(path, at, reason);
    }
}
