package dev.avocet.server.logging;

import dev.avocet.core.time.Clock;
import dev.avocet.core.trace.TraceSink;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the trace to a file, and begins another when that has become large. Lines come from any thread and wait for
 * the thread {@code trace}, 8,192 at most; more are left out, and the file says how many. There is no file before the
 * first line.
 */
final class TraceFile implements TraceSink, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TraceFile.class);
    private static final int WAITING_LINES = 8_192;
    private static final long FLUSH_TIMEOUT_S = 10;
    private static final String NAME = "trace.log";

    private final Path directory;
    private final Clock clock;
    private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(WAITING_LINES);
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private volatile Limits limits = new Limits(Long.MAX_VALUE, 0);

    // of the thread
    private @Nullable OutputStream out;
    private long sizeBytes;
    private boolean failed;

    /** @param directory made with the first line */
    TraceFile(Path directory, Clock clock) {
        this.directory = directory;
        this.clock = clock;
        thread = new Thread(this::run, "trace");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * How large the file becomes, and how many old ones are kept, compressed.
     *
     * @param backups 0 for none
     */
    record Limits(long maxBytes, int backups) {}

    /** What holds from the next line on. */
    void limits(Limits next) {
        limits = next;
    }

    @Override
    public void write(String line) {
        if (!waiting.offer(new Entry(clock.wallTimeMs(), Thread.currentThread().getName(), line, null))) {
            dropped.incrementAndGet();
        }
    }

    /** Returns when everything that was written before is in the file. Not for event loops. */
    void flush() throws IOException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        try {
            waiting.put(new Entry(0, "", "", done));
            done.get(FLUSH_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
            throw new IOException("the trace could not be written: " + e.getMessage(), e);
        }
    }

    /**
     * The last so many bytes of the file, from the beginning of a line, once what waits is written. Empty when there is
     * none.
     */
    byte[] end(int bytes) throws IOException {
        flush();
        try (SeekableByteChannel file = Files.newByteChannel(directory.resolve(NAME))) {
            long from = Math.max(0, file.size() - bytes);
            byte[] end = new byte[(int) (file.size() - from)];
            file.position(from);
            ByteBuffer buffer = ByteBuffer.wrap(end);
            while (buffer.hasRemaining() && file.read(buffer) >= 0) {
                // until all of it is there
            }
            int begin = from == 0 ? 0 : lineAfterFirst(end);
            return Arrays.copyOfRange(end, begin, Math.max(begin, buffer.position()));
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    private static int lineAfterFirst(byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n') {
                return i + 1;
            }
        }
        return text.length;
    }

    /** Writes what waits and ends. */
    @Override
    public void close() {
        try {
            flush();
        } catch (IOException e) {
            LOG.warn("The end of the trace is missing: {}", e.getMessage());
        }
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Entry entry = waiting.poll();
                if (entry == null) {
                    flushFile();
                    entry = waiting.take();
                }
                handle(entry);
            }
        } catch (InterruptedException e) {
            closeFile();
        }
    }

    private void handle(Entry entry) {
        CompletableFuture<Void> flushed = entry.flushed();
        if (flushed != null) {
            flushFile();
            flushed.complete(null);
            return;
        }
        long missing = dropped.getAndSet(0);
        if (missing > 0) {
            append(entry.wallTimeMs(), "trace", missing + " lines are missing here: they came too fast");
        }
        append(entry.wallTimeMs(), entry.thread(), entry.line());
    }

    private void append(long wallTimeMs, String threadName, String line) {
        byte[] bytes = (Instant.ofEpochMilli(wallTimeMs) + " " + threadName + ' ' + line + '\n')
                .getBytes(StandardCharsets.UTF_8);
        try {
            file(bytes.length).write(bytes);
            sizeBytes += bytes.length;
            failed = false;
        } catch (IOException e) {
            onFailure(e);
        }
    }

    private OutputStream file(int wantedBytes) throws IOException {
        OutputStream present = out;
        if (present != null && sizeBytes + wantedBytes > limits.maxBytes()) {
            closeFile();
            roll(limits.backups());
            present = null;
        }
        if (present == null) {
            Files.createDirectories(directory);
            Path path = directory.resolve(NAME);
            present = new BufferedOutputStream(
                    Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND), 64 << 10);
            sizeBytes = Files.size(path);
            out = present;
        }
        return present;
    }

    /** The youngest old file has number 1. */
    private void roll(int backups) throws IOException {
        Path full = directory.resolve(NAME);
        int tooMany = backups + 1; // where fewer are kept than before
        while (Files.deleteIfExists(backup(tooMany))) {
            tooMany++;
        }
        if (backups > 0) {
            for (int number = backups - 1; number > 0; number--) {
                if (Files.exists(backup(number))) {
                    Files.move(backup(number), backup(number + 1), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            try (OutputStream compressed = new GZIPOutputStream(Files.newOutputStream(backup(1)))) {
                Files.copy(full, compressed);
            }
        }
        Files.delete(full);
    }

    private Path backup(int number) {
        return directory.resolve("trace-" + number + ".log.gz");
    }

    private void flushFile() {
        OutputStream present = out;
        if (present != null) {
            try {
                present.flush();
            } catch (IOException e) {
                onFailure(e);
            }
        }
    }

    private void closeFile() {
        OutputStream present = out;
        out = null;
        if (present != null) {
            try {
                present.close();
            } catch (IOException e) {
                onFailure(e);
            }
        }
    }

    /** Said once, until it works again; the next line tries to open the file anew. */
    private void onFailure(IOException cause) {
        out = null;
        if (!failed) {
            failed = true;
            LOG.warn("Nothing is traced, as {} cannot be written: {}", directory.resolve(NAME), cause.getMessage());
        }
    }

    private record Entry(
            long wallTimeMs,
            String thread,
            String line,
            @Nullable CompletableFuture<Void> flushed) {}
}
