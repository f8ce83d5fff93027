package dev.avocet.core.journal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalKind;
import dev.avocet.core.journal.LogWriter;
import dev.avocet.core.journal.disk.DiskStorage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small records come by the window of a tail, large ones past it, and all of them whole. */
class RecordTailTest {
    private static final int SEGMENT_BYTES = 8 << 20;
    private static final int RECORDS = 300;
    /** Around the window, and many times as large. */
    private static final int[] LENGTHS = {
        100, 3_000, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, (256 << 10) + 2_000, 1_500_000
    };

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldReadRecordsOfAllSizes(JournalKind kind) throws JournalException {
        try (Journal journal = kind.open(new DiskStorage(), directory, SEGMENT_BYTES)) {
            // given
            LogWriter writer = new LogWriter(journal);
            SplittableRandom random = new SplittableRandom(7);
            int[] lengths = random.ints(RECORDS, 0, LENGTHS.length)
                    .map(which -> Math.min(LENGTHS[which], journal.maxRecordBytes()))
                    .toArray();
            long first = writer.append(100);
            for (int length : lengths) {
                writer.append(length);
            }

            // when
            RecordTail tail = new RecordTail(journal, first);
            assertThat(tail.next(journal.end())).isTrue();

            // then
            for (int i = 0; i < RECORDS; i++) {
                byte[] expected = new byte[lengths[i]];
                journal.read(tail.position(), expected, 0, expected.length);
                assertThat(tail.next(journal.end())).isTrue();
                assertThat(tail.length()).isEqualTo(lengths[i]);
                assertThat(Arrays.equals(tail.record(), 0, tail.length(), expected, 0, expected.length))
                        .as("record %d of %d bytes", i, lengths[i])
                        .isTrue();
                assertThat(RecordHeader.sequence(tail.record(), 0)).isEqualTo(i + 2);
            }
            assertThat(tail.next(journal.end())).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAPositionWithinARecord(JournalKind kind) throws JournalException {
        try (Journal journal = kind.open(new DiskStorage(), directory, SEGMENT_BYTES)) {
            LogWriter writer = new LogWriter(journal);
            long position = writer.append(300_000);

            RecordTail tail = new RecordTail(journal, position + 8);

            assertThatThrownBy(() -> tail.next(journal.end()))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("no record begins at position");
        }
    }
}
