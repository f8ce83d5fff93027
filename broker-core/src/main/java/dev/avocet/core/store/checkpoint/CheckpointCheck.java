package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;

/** Looks whether the file of a checkpoint is whole, block by block, and keeps nothing of what it says. One use. */
public final class CheckpointCheck {
    private final Path path;
    private final StorageFile file;
    private final byte[] head = new byte[CheckpointBlock.HEADER_BYTES];
    private byte[] content = new byte[0];
    private long at;

    private CheckpointCheck(Path path, StorageFile file) {
        this.path = path;
        this.file = file;
    }

    /**
     * What a checkpoint says of itself.
     *
     * @param storeId to which it must belong
     * @throws CorruptJournalException when it is not whole
     */
    public static CheckpointHeader check(Path path, StorageFile file, UUID storeId) throws IOException {
        return new CheckpointCheck(path, file).run(storeId);
    }

    private CheckpointHeader run(UUID storeId) throws IOException {
        long size = file.sizeBytes();
        int length = next(0, size);
        if (CheckpointBlock.type(head) != CheckpointBlock.BEGINNING) {
            throw damaged("it does not begin with a header");
        }
        CheckpointHeader header = CheckpointHeader.read(new RecordReader().over(content, 0, length), false);
        if (!header.storeId().equals(storeId)) {
            throw new JournalException(path + " belongs to the store " + header.storeId() + ", and not to " + storeId);
        }
        int blocks = 1;
        while (CheckpointBlock.type(head) != CheckpointBlock.END) {
            int unused = next(blocks++, size);
        }
        if (at != size) {
            throw damaged("something follows its end");
        }
        return header;
    }

    private int next(int block, long size) throws IOException {
        readFully(head, CheckpointBlock.HEADER_BYTES);
        int length = CheckpointBlock.length(head);
        boolean fits = CheckpointBlock.isWhole(head)
                && CheckpointBlock.magic(head) == CheckpointBlock.MAGIC
                && CheckpointBlock.number(head) == block
                && length >= 0
                && length <= size - at;
        if (!fits) {
            throw damaged("block " + block + " does not fit");
        }
        if (content.length < length) {
            content = new byte[length];
        }
        readFully(content, length);
        if (!CheckpointBlock.isContent(head, content, length)) {
            throw damaged("the checksum of block " + block + " is wrong");
        }
        return length;
    }

    private void readFully(byte[] target, int length) throws IOException {
        if (file.readFully(ByteBuffer.wrap(target, 0, length), at) < length) {
            throw damaged("it ends too early");
        }
        at += length;
    }

    private CorruptJournalException damaged(String reason) {
        return new CorruptJournalException(path, at, reason);
    }
}
