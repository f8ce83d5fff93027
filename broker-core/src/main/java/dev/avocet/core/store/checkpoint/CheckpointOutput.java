package dev.avocet.core.store.checkpoint;

import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Writes blocks behind each other into the file of a checkpoint. One owner. */
final class CheckpointOutput {
    /**
     * So many bytes are made durable at a time: little enough for the disk that the journal, which is forced all the
     * while, does not wait long behind them.
     */
    private static final int FORCE_BYTES = 4 << 20;

    private final StorageFile file;
    private final CRC32C headers = new CRC32C();
    private int blocks;
    private long at;
    private long forced;

    CheckpointOutput(StorageFile file) {
        this.file = file;
    }

    /** A buffer for a block's content. */
    static RecordBuffer newContent(int capacity) {
        RecordBuffer content = new RecordBuffer(CheckpointBlock.HEADER_BYTES + capacity);
        content.reset(CheckpointBlock.HEADER_BYTES);
        return content;
    }

    /** Writes a block and empties its buffer. */
    void write(int type, RecordBuffer content) throws IOException {
        byte[] block = content.array();
        CheckpointBlock.writeHeader(block, content.length(), type, blocks++);
        headers.update(block, 0, CheckpointBlock.HEADER_BYTES);
        file.writeFully(ByteBuffer.wrap(block, 0, content.length()), at);
        at += content.length();
        content.reset(CheckpointBlock.HEADER_BYTES);
        if (at - forced >= FORCE_BYTES) {
            file.force(false);
            forced = at;
        }
    }

    /** CRC32C of the headers of all blocks so far. */
    int headersChecksum() {
        return (int) headers.getValue();
    }

    /** Makes everything durable and closes the file. */
    void finish() throws IOException {
        file.force(true);
        file.close();
    }
}
