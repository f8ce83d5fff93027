package dev.avocet.core.journal.disk;

import dev.avocet.core.journal.DiskFullException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * An open file of a {@link Storage}. Thread-safe but for {@link #close}: the owner closes a file once it is sure that
 * no thread uses it any more.
 */
public interface StorageFile extends Closeable {
    /**
     * Writes from a buffer.
     *
     * @return bytes written, which may be fewer than there are in the buffer
     * @throws DiskFullException when there is no room for any of them
     */
    int write(ByteBuffer source, long offset) throws IOException;

    /**
     * Reads into a buffer.
     *
     * @return bytes read, which may be fewer than the buffer has room for; -1 when the file ends before {@code offset}
     */
    int read(ByteBuffer target, long offset) throws IOException;

    /**
     * Returns when what was written before the call is durable.
     *
     * @param metadata whether that includes what is not needed to read the bytes back
     */
    void force(boolean metadata) throws IOException;

    /**
     * Makes an empty file this long, all zeros, and the room on the disk really its own: writing to it cannot fail for
     * want of room.
     *
     * @throws DiskFullException when there is not enough room
     */
    void allocate(long size) throws IOException;

    /**
     * The same; but once a thread is in a hurry the zeros need not be written any more, as long as the room is the
     * file's own. Later forces are slower then, where the file is written for the first time.
     *
     * @param hurried is asked again and again meanwhile
     * @throws DiskFullException when there is not enough room
     */
    default void allocate(long size, BooleanSupplier hurried) throws IOException {
        allocate(size);
    }

    long sizeBytes() throws IOException;

    void truncate(long size) throws IOException;

    /** Writes all that is in a buffer, however many steps it takes. */
    default void writeFully(ByteBuffer source, long offset) throws IOException {
        long at = offset;
        while (source.hasRemaining()) {
            int written = write(source, at);
            if (written <= 0) {
                throw new IOException("nothing was written");
            }
            at += written;
        }
    }

    /** Reads until a buffer is full or the file ends; returns the bytes read. */
    default int readFully(ByteBuffer target, long offset) throws IOException {
        int start = target.position();
        while (target.hasRemaining()) {
            if (read(target, offset + target.position() - start) <= 0) {
                break;
            }
        }
        return target.position() - start;
    }
}
