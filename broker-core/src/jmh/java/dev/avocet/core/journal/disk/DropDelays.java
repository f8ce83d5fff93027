package dev.avocet.core.journal.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * For how long a force of one file is held up while a segment beside it is dropped: in the steps of
 * {@link DiskStorage#delete}, at once, which is the beaten alternative, and not at all, which is what the machine does
 * by itself. The ways take turns, so that other work of the machine meets all alike. A way lasts from the drop to a
 * while after the directory was forced, as the file system gives the room back then.
 *
 * <p>{@code scripts/bench broker-core main=dev.avocet.core.journal.disk.DropDelays [segmentMiB=256] [rounds=20]}. Works
 * below {@code bench.directory} or else the directory for temporary files, which must be on the disk that is to be
 * measured.
 */
public final class DropDelays {
    private static final int RECORD_BYTES = 4096;
    private static final int LOG_BYTES = 64 << 20;
    private static final int FILLED_AT_ONCE_BYTES = 1 << 20;
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long BEFORE_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long AFTERWARDS_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Storage storage = new DiskStorage();
    private final Map<Way, Histogram> forces = new EnumMap<>(Way.class);
    private final Map<Way, Histogram> drops = new EnumMap<>(Way.class);
    private final Path directory;
    private final int segmentBytes;
    private final StorageFile log;
    private long offset;
    private volatile boolean over;

    private DropDelays(Path directory, int segmentBytes) throws IOException {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        for (Way way : Way.values()) {
            forces.put(way, new Histogram(1, HIGHEST_NS, 2));
            drops.put(way, new Histogram(1, HIGHEST_NS, 2));
        }
        log = storage.create(directory.resolve("log"));
        fill(log, LOG_BYTES);
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, Integer> given = new HashMap<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            given.put(parts[0], Integer.parseInt(parts[1]));
        }
        Path parent = Path.of(System.getProperty("bench.directory", System.getProperty("java.io.tmpdir")));
        Path directory = Files.createTempDirectory(parent, "drop-delays");
        try {
            DropDelays delays = new DropDelays(directory, given.getOrDefault("segmentMiB", 256) << 20);
            delays.run(given.getOrDefault("rounds", 20));
            delays.log.close();
        } finally {
            Files.deleteIfExists(directory.resolve("log"));
            Files.deleteIfExists(directory.resolve("segment"));
            Files.delete(directory);
        }
    }

    private void run(int rounds) throws IOException {
        for (int round = 0; round < rounds; round++) {
            for (Way way : Way.values()) {
                turn(way);
            }
        }
        for (Way way : Way.values()) {
            Histogram force = forces.get(way);
            System.out.printf(
                    Locale.ROOT,
                    "%-9s %7d forces: p50 %.2f ms, p99 %.2f, p99.9 %.2f, longest %.2f; a drop p50 %.1f ms%n",
                    way,
                    force.getTotalCount(),
                    force.getValueAtPercentile(50) / 1e6,
                    force.getValueAtPercentile(99) / 1e6,
                    force.getValueAtPercentile(99.9) / 1e6,
                    force.getMaxValue() / 1e6,
                    drops.get(way).getValueAtPercentile(50) / 1e6);
        }
    }

    /** Every way begins with a segment that is on the disk. */
    private void turn(Way way) throws IOException {
        Path segment = directory.resolve("segment");
        try (StorageFile file = storage.create(segment)) {
            fill(file, segmentBytes);
        }
        storage.forceDirectory(directory);
        LockSupport.parkNanos(BEFORE_NS);
        over = false;
        CompletableFuture<Void> committing = CompletableFuture.runAsync(() -> commit(forces.get(way)));
        long beganNs = System.nanoTime();
        switch (way) {
            case IN_STEPS -> storage.delete(segment);
            case AT_ONCE -> Files.delete(segment);
            case NOTHING -> {}
        }
        drops.get(way).recordValue(System.nanoTime() - beganNs);
        storage.forceDirectory(directory);
        LockSupport.parkNanos(AFTERWARDS_NS);
        over = true;
        committing.join();
        storage.delete(segment);
        storage.forceDirectory(directory);
    }

    private static void fill(StorageFile file, int bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(FILLED_AT_ONCE_BYTES);
        for (int at = 0; at < bytes; at += zeros.capacity()) {
            zeros.clear();
            file.writeFully(zeros, at);
        }
        file.force(true);
    }

    /** One record after the other, each forced, in room that is allocated. */
    private void commit(Histogram lasted) {
        ByteBuffer written = ByteBuffer.allocateDirect(RECORD_BYTES);
        try {
            while (!over) {
                written.clear();
                long beganNs = System.nanoTime();
                log.writeFully(written, offset);
                log.force(false);
                lasted.recordValue(Math.min(HIGHEST_NS, System.nanoTime() - beganNs));
                offset = (offset + RECORD_BYTES) % LOG_BYTES;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private enum Way {
        NOTHING,
        IN_STEPS,
        AT_ONCE
    }
}
