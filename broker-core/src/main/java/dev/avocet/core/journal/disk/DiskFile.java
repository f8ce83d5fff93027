package dev.avocet.core.journal.disk;

import dev.avocet.core.journal.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** A file of {@link DiskStorage}. */
final class DiskFile implements StorageFile {
    private static final int ZEROS_BYTES = 1 << 20;

    private final Path path;
    private final FileChannel channel;

    DiskFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    @Override
    public int write(ByteBuffer source, long offset) throws IOException {
        long wanted = source.remaining();
        try {
            return channel.write(source, offset);
        } catch (IOException e) {
            if (saysFull(e) || usableSpaceBytes() < Math.max(wanted, ZEROS_BYTES)) {
                throw new DiskFullException("the disk of " + path + " has become full", e);
            }
            throw e;
        }
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
        return channel.read(target, offset);
    }

    @Override
    public void force(boolean metadata) throws IOException {
        channel.force(metadata);
    }

    @Override
    public void allocate(long size) throws IOException {
        allocate(size, () -> false);
    }

    /**
     * Writes zeros: unlike room that is only reserved, no later force has to note in the file system that it is in use
     * now.
     */
    @Override
    public void allocate(long size, BooleanSupplier hurried) throws IOException {
        requireRoomFor(size);
        boolean reserved = ReservedFiles.reserve(path, size);
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(size, ZEROS_BYTES));
        try {
            for (long at = 0; at < size && !(reserved && hurried.getAsBoolean()); at += zeros.capacity()) {
                zeros.clear().limit((int) Math.min(size - at, zeros.capacity()));
                writeFully(zeros, at);
                // A commit of the journal beside it then waits for a mebibyte, not for all of this.
                channel.force(false);
            }
        } catch (DiskFullException e) {
            throw e;
        } catch (IOException e) {
            if (usableSpaceBytes() < ZEROS_BYTES) {
                throw new DiskFullException("the disk of " + path + " has become full", e);
            }
            throw e;
        }
    }

    @Override
    public long sizeBytes() throws IOException {
        return channel.size();
    }

    @Override
    public void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** What the system says where its language is English; the room that is left tells it elsewhere. */
    private static boolean saysFull(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("No space left on device") || message.contains("Disk quota exceeded");
    }

    private void requireRoomFor(long size) throws IOException {
        long usable = usableSpaceBytes();
        if (usable < size) {
            throw new DiskFullException(path + " needs " + size + " bytes and the disk has " + usable);
        }
    }

    private long usableSpaceBytes() throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }
}
