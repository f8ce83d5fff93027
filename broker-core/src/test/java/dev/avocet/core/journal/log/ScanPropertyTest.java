package dev.avocet.core.journal.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.FoundRecords;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.LogWriter;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.journal.file.SegmentHeader;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.testkit.FaultyStorage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.UUID;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * A scan over whatever a file may hold: it ends, and finds records that were written, or throws a
 * {@link JournalException}.
 */
class ScanPropertyTest {
    private static final Path DIRECTORY = Path.of("/disk/journal");
    private static final Path FILE = DIRECTORY.resolve("journal-0000000001.seg");
    private static final int SIZE = FileJournal.MIN_SEGMENT_BYTES;

    @Property(tries = 200)
    void shouldFindNothingInRandomBytes(@ForAll long seed, @ForAll @IntRange(max = SIZE) int size) throws IOException {
        // given
        FaultyStorage storage = new FaultyStorage();
        byte[] bytes = new byte[size];
        new SplittableRandom(seed).nextBytes(bytes);
        write(storage, bytes);

        // when, then
        assertThat(scan(storage)).isZero();
    }

    /** The marks are right, and the magic numbers: as an attacker could do it who knew the file. */
    @Property(tries = 200)
    void shouldFindNothingInWhatOnlyLooksLikeRecords(@ForAll long seed) throws IOException {
        // given
        FaultyStorage storage = new FaultyStorage();
        SplittableRandom random = new SplittableRandom(seed);
        SegmentHeader header = new SegmentHeader(SegmentHeader.VERSION, 1, random.nextLong(), new UUID(0, 1));
        byte[] bytes = new byte[SIZE];
        random.nextBytes(bytes);
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.put(0, header.encoded().array());
        for (int at = SegmentHeader.FIRST_RECORD; at + RecordHeader.BYTES <= SIZE; at += 8 * random.nextInt(1, 20)) {
            file.putLong(at - SegmentHeader.MARK_BYTES, header.markOf(at));
            file.putInt(at + 16, random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(SIZE));
            file.putInt(at + 24, RecordHeader.MAGIC);
        }
        write(storage, bytes);

        // when, then
        assertThat(scan(storage)).isZero();
    }

    @Example
    void shouldNeitherTakeForeverNorMuchMemoryOverWhatOnlyLooksLikeRecords() throws IOException {
        // given a mark every 48 bytes, each with half of the file behind it
        FaultyStorage storage = new FaultyStorage();
        SegmentHeader header = new SegmentHeader(SegmentHeader.VERSION, 1, 0x1234_5678_9ABC_DEF0L, new UUID(0, 1));
        int size = 32 << 20;
        ByteBuffer file = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        file.put(0, header.encoded().array());
        for (int at = SegmentHeader.FIRST_RECORD; at + RecordHeader.BYTES < size; at += 48) {
            file.putLong(at - SegmentHeader.MARK_BYTES, header.markOf(at));
            file.putInt(at + 16, size / 2);
            file.putInt(at + 24, RecordHeader.MAGIC);
        }
        write(storage, file.array());

        // when
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        int found = scan(storage);

        // then
        assertThat(found).isZero();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .as("at most some small objects for each mark, and no record that it pretends to be")
                .isLessThan(2L * size);
    }

    /** {@link FoundRecords} sees to it that every record found is one that was written. */
    @Property(tries = 300)
    void shouldFindOnlyWhatWasWrittenHoweverTheFilesAreDamaged(@ForAll long seed) throws IOException {
        // given
        FaultyStorage storage = new FaultyStorage();
        SplittableRandom random = new SplittableRandom(seed);
        FileJournal journal = FileJournal.open(storage, DIRECTORY, SIZE);
        LogWriter writer = new LogWriter(journal);
        for (int i = random.nextInt(1, 150); i > 0; i--) {
            writer.append(RecordHeader.BYTES + random.nextInt(2_000));
            if (random.nextBoolean()) {
                writer.force();
            }
        }

        // when
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            damage(
                    storage,
                    journal.segments().get(random.nextInt(journal.segments().size())),
                    random);
        }

        // then
        assertThat(scan(storage)).isLessThanOrEqualTo((int) writer.sequence());
    }

    private static void damage(FaultyStorage storage, Segment segment, SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(1, 1 << random.nextInt(1, 14))];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        }
        storage.overwrite(segment.file(), random.nextInt(SIZE - bytes.length), bytes);
    }

    private static int scan(FaultyStorage storage) throws JournalException {
        FileJournal journal = FileJournal.open(storage, DIRECTORY, SIZE);
        FoundRecords found = new FoundRecords();
        try {
            ScanResult result = journal.scan(Position.BEGINNING, found);
            assertThat(result.records()).isEqualTo(found.sequences().size());
        } catch (CorruptJournalException e) {
            assertThat(e.offset()).isBetween(0L, (long) SIZE + RecordHeader.BYTES);
        }
        assertThat(found.sequences())
                .isEqualTo(FoundRecords.from(1, found.sequences().size()));
        return found.sequences().size();
    }

    private static void write(FaultyStorage storage, byte[] bytes) throws IOException {
        try (StorageFile file = storage.create(FILE)) {
            file.writeFully(ByteBuffer.wrap(bytes), 0);
        }
    }
}
