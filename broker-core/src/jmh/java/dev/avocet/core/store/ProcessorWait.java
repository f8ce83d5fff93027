package dev.avocet.core.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How long a thread was ready to run and had no processor, as Linux tells it: on a busy machine a thread is held up by
 * others, which is not what is measured here. Zero elsewhere. The thread itself.
 */
final class ProcessorWait implements AutoCloseable {
    private static final Path TASKS = Path.of("/proc/self/task");

    private final ByteBuffer buffer = ByteBuffer.allocate(128);
    private final @Nullable FileChannel statistics;

    /** @param threadName of the one thread of that name */
    ProcessorWait(String threadName) {
        try {
            Path task = Files.isDirectory(TASKS) ? taskOf(threadName) : null;
            statistics = task == null ? null : FileChannel.open(task.resolve("schedstat"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Path taskOf(String threadName) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).strip().equals(threadName)) {
                    return task;
                }
            }
            return null;
        }
    }

    /** In all so far. */
    long waitedNs() {
        if (statistics == null) {
            return 0;
        }
        try {
            int length = statistics.read(buffer.clear(), 0);
            return Long.parseLong(new String(buffer.array(), 0, length, StandardCharsets.US_ASCII).split(" ", 3)[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (statistics != null) {
            statistics.close();
        }
    }
}
