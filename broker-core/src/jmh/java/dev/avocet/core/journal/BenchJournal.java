package dev.avocet.core.journal;

import dev.avocet.core.journal.disk.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A journal in a directory of its own, below {@code bench.directory} or else the directory for temporary files, which
 * must be on the disk that is to be measured. Keeps only its last segments.
 */
public final class BenchJournal implements AutoCloseable {
    private static final int SEGMENTS_KEPT = 4;

    private final Path directory;
    private final Journal journal;

    public BenchJournal(MeasuredJournal kind) throws IOException {
        Path parent = Path.of(System.getProperty("bench.directory", System.getProperty("java.io.tmpdir")));
        directory = Files.createTempDirectory(parent, "journal-bench");
        journal = kind.open(directory.resolve("journal"));
        journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
    }

    public Journal journal() {
        return journal;
    }

    /**
     * Gives back what only a benchmark has no use for; a segment was begun. The broker has its spare prepared beside.
     */
    public void forgetOld() throws JournalException {
        List<Segment> segments = journal.segments();
        for (Segment old : segments.subList(0, Math.max(0, segments.size() - SEGMENTS_KEPT))) {
            journal.drop(old.number());
        }
        journal.prepareSpare();
    }

    public DiskSpace disk() throws IOException {
        return DiskSpace.of(directory);
    }

    @Override
    public void close() throws IOException {
        journal.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
