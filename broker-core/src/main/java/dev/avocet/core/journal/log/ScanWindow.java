package dev.avocet.core.journal.log;

import dev.avocet.core.journal.disk.StorageFile;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The part of a segment's file that a scan looks at: at most a mebibyte at a time, larger records apart. One owner. */
public final class ScanWindow {
    static final int BYTES = 1 << 20;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private final StorageFile file;
    private final long fileSize;
    private final byte[] bytes;
    private long start;
    private int length;

    /** @param maxBytes of the file that are looked at at a time */
    public ScanWindow(StorageFile file, long fileSize, int maxBytes) {
        this.file = file;
        this.fileSize = fileSize;
        bytes = new byte[(int) Math.min(maxBytes, fileSize)];
    }

    public byte[] bytes() {
        return bytes;
    }

    /**
     * Where in {@link #bytes} a part of the file begins, after reading it if need be. It must fit and lie in the file.
     */
    public int indexOf(long offset, int count) throws IOException {
        if (offset < start || offset + count > start + length) {
            start = offset;
            length = file.readFully(ByteBuffer.wrap(bytes, 0, (int) Math.min(bytes.length, fileSize - offset)), offset);
            if (length < count) {
                throw new IOException("the file has become shorter");
            }
        }
        return (int) (offset - start);
    }

    public boolean canHold(int count) {
        return count <= bytes.length;
    }

    public long longAt(long offset) throws IOException {
        return (long) LONG.get(bytes, indexOf(offset, Long.BYTES));
    }

    /** CRC32C of a part of the file, however large. */
    public int checksum(long offset, long count) throws IOException {
        CRC32C crc = new CRC32C();
        for (long done = 0; done < count; ) {
            int step = (int) Math.min(count - done, bytes.length);
            crc.update(bytes, indexOf(offset + done, step), step);
            done += step;
        }
        return (int) crc.getValue();
    }

    /** A copy of a part of the file that the window cannot hold. */
    public byte[] copy(long offset, int count) throws IOException {
        byte[] copy = new byte[count];
        if (file.readFully(ByteBuffer.wrap(copy), offset) < count) {
            throw new IOException("the file has become shorter");
        }
        return copy;
    }
}
