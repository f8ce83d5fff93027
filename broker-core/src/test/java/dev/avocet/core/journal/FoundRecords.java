package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.record.RecordHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** What a scan has shown. Checks that each record is one that {@link LogWriter} wrote. */
public final class FoundRecords implements RecordVisitor {
    private final List<Long> sequences = new ArrayList<>();
    private final List<Long> positions = new ArrayList<>();

    @Override
    public void onRecord(long position, byte[] bytes, int offset, int length) {
        assertThat(RecordHeader.isValid(bytes, offset, offset + length)).isTrue();
        long sequence = RecordHeader.sequence(bytes, offset);
        byte[] body = Arrays.copyOfRange(bytes, offset + RecordHeader.BYTES, offset + length);
        assertThat(body).isEqualTo(LogWriter.body(sequence, body.length));
        sequences.add(sequence);
        positions.add(position);
    }

    public List<Long> sequences() {
        return sequences;
    }

    public List<Long> positions() {
        return positions;
    }

    public static List<Long> from(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}
