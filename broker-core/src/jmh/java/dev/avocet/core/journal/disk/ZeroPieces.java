package dev.avocet.core.journal.disk;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What the size of the pieces costs in which {@link ReservedFiles} writes zeros: the processor time of the filling, and
 * of records that are written through a mapping and forced afterwards, one at a time and many at once. A file system
 * that keeps large pieces in its cache writes a whole piece for one record, and needs less time for each byte. The
 * sizes take turns.
 *
 * <p>{@code scripts/bench broker-core main=dev.avocet.core.journal.disk.ZeroPieces [rounds]}. Works below
 * {@code bench.directory} or else the directory for temporary files, which must be on the disk that is to be measured.
 */
public final class ZeroPieces {
    private static final List<Integer> PIECES = List.of(4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10);
    private static final List<Load> LOADS =
            List.of(new Load(250, 1, 2_000), new Load(250, 40, 1_000), new Load(2_300, 100, 200));
    private static final int SEGMENT_BYTES = 64 << 20;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Storage storage = new DiskStorage();
    private final Path file;
    private final List<String> lines = new ArrayList<>();

    private ZeroPieces(Path file) {
        this.file = file;
    }

    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length == 0 ? 3 : Integer.parseInt(arguments[0]);
        Path parent = Path.of(System.getProperty("bench.directory", System.getProperty("java.io.tmpdir")));
        Path directory = Files.createTempDirectory(parent, "zero-pieces");
        Path file = directory.resolve("segment");
        try {
            ZeroPieces measured = new ZeroPieces(file);
            for (Load load : LOADS) {
                for (int round = 0; round < rounds; round++) {
                    for (int piece : PIECES) {
                        measured.turn(piece, load);
                    }
                }
            }
            measured.lines.forEach(System.out::println);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private void turn(int piece, Load load) throws IOException {
        Files.deleteIfExists(file);
        long fillingNs = fill(piece);
        lines.add(String.format(
                Locale.ROOT,
                "pieces of %6d bytes: filling takes %3d ms of the processor; %s",
                piece,
                TimeUnit.NANOSECONDS.toMillis(fillingNs),
                append(load)));
    }

    private long fill(int piece) throws IOException {
        try (StorageFile created = storage.create(file)) {
            boolean unused = ReservedFiles.reserve(file, SEGMENT_BYTES);
            long beganNs = THREADS.getCurrentThreadCpuTime();
            ReservedFiles.fill(created, SEGMENT_BYTES, piece, () -> false);
            created.force(true);
            return THREADS.getCurrentThreadCpuTime() - beganNs;
        }
    }

    private String append(Load load) throws IOException {
        Histogram forces = new Histogram(TimeUnit.MINUTES.toNanos(1), 2);
        byte[] record = new byte[load.recordBytes()];
        long appendingNs = 0;
        long forcingNs = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, SEGMENT_BYTES);
            for (int force = 0; force < load.forces(); force++) {
                long processorNs = THREADS.getCurrentThreadCpuTime();
                for (int i = 0; i < load.records(); i++) {
                    mapped.put(record);
                }
                long appendedNs = THREADS.getCurrentThreadCpuTime();
                long beganNs = System.nanoTime();
                channel.force(false);
                forces.recordValue(System.nanoTime() - beganNs);
                appendingNs += appendedNs - processorNs;
                forcingNs += THREADS.getCurrentThreadCpuTime() - appendedNs;
            }
        }
        return String.format(
                Locale.ROOT,
                "%3d records of %4d bytes take %6.1f us, their force %6.1f us; a force lasts p50 %4d us, p99 %5d us",
                load.records(),
                load.recordBytes(),
                appendingNs / 1e3 / load.forces(),
                forcingNs / 1e3 / load.forces(),
                TimeUnit.NANOSECONDS.toMicros(forces.getValueAtPercentile(50)),
                TimeUnit.NANOSECONDS.toMicros(forces.getValueAtPercentile(99)));
    }

    /** So many records are forced at once. */
    private record Load(int recordBytes, int records, int forces) {}
}
