package dev.avocet.ha.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.ha.role.PairMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was appended lately goes out once and in its order; what is gone is told from what is to come. */
final class RecentRecordsTest {
    private static final long EPOCH = 3;
    private static final int BODY = 100;
    private static final int LARGE_BODY = 400_000;
    /** What a writer has when it hands a record over that is large enough. */
    private static final int ENOUGH_BODY = (256 << 10) + 2_000;

    private static final long KEPT_BYTES = 4 << 20;

    private final RecentRecords recent = new RecentRecords(0, KEPT_BYTES);
    private long end;
    private long sequence;

    @Test
    void shouldHaveWhatWasAppendedSinceItWasAskedFor() {
        // given
        assertThat(recent.from(EPOCH, 0)).isNull();
        assertThat(recent.mayHaveSoon(0)).isTrue();

        // when
        append(BODY, BODY);
        assertThat(recent.from(EPOCH, 0)).as("before all of it can be read").isNull();
        assertThat(recent.mayHaveSoon(0)).isTrue();
        recent.addedUpTo(end);

        // then
        PairMessage.Records records = recent.from(EPOCH, 0);
        assertThat(areWhole(records)).isTrue();
        assertThat(records.end()).isEqualTo(end);
        assertThat(recent.from(EPOCH, 0)).as("until it is sent").isNotNull();
        written(recent);
        assertThat(recent.from(EPOCH, end)).isNull();
        assertThat(recent.mayHaveSoon(end)).isTrue();
    }

    @Test
    void shouldKeepNothingThatIsNotWanted() {
        append(BODY);
        recent.addedUpTo(end);

        assertThat(recent.from(EPOCH, 0)).isNull();
        assertThat(recent.mayHaveSoon(0)).isFalse();
    }

    @Test
    void shouldBeginWithAnyRecordOfAPiece() {
        // given
        assertThat(recent.from(EPOCH, 0)).isNull();
        append(BODY);
        long second = end;
        append(2 * BODY, BODY);
        recent.addedUpTo(end);

        // when
        PairMessage.Records records = recent.from(EPOCH, second);

        // then
        assertThat(records.from()).isEqualTo(second);
        assertThat(records.end()).isEqualTo(end);
        assertThat(areWhole(records)).isTrue();
    }

    @Test
    void shouldLeaveOutWhatFindsNoRoomAndGoOnBehindIt() {
        // given what no standby takes
        assertThat(recent.from(EPOCH, 0)).isNull();
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            append(LARGE_BODY);
            recent.addedUpTo(end);
            ends.add(end);
        }

        // when it takes what there is
        long at = 0;
        for (PairMessage.Records records = recent.from(EPOCH, at); records != null; records = recent.from(EPOCH, at)) {
            at = records.end();
            written(recent);
        }

        // then the rest has to be read
        assertThat(at).isPositive().isLessThan(end / 2).isIn(ends);
        assertThat(recent.mayHaveSoon(at)).isFalse();

        // and once it was, the next ones are here again
        long read = end;
        assertThat(recent.from(EPOCH, read)).isNull();
        append(BODY);
        recent.addedUpTo(end);
        assertThat(recent.from(EPOCH, read)).isNotNull();

        // but for a standby that is gone
        recent.unwanted();
        assertThat(recent.mayHaveSoon(read)).isFalse();
    }

    @Test
    @Timeout(60)
    void shouldHandAllOverFromOneThreadToAnother() {
        // given
        int records = 50_000;
        assertThat(recent.from(EPOCH, 0)).isNull();
        CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < records; i++) {
                append(i % 1_000);
                if (i % 7 == 0) {
                    recent.addedUpTo(end);
                }
            }
            recent.addedUpTo(end);
        });

        // when
        long at = 0;
        long skipped = 0;
        while (!adding.isDone() || at < end) {
            PairMessage.Records sent = recent.from(EPOCH, at);
            if (sent != null) {
                assertThat(sent.from()).isEqualTo(at);
                assertThat(areWhole(sent)).isTrue();
                at = sent.end();
                written(recent);
            } else if (!recent.mayHaveSoon(at)) {
                adding.join(); // as a reader of the disk would go on with what is there
                skipped = end - at;
                at = end;
            }
        }

        // then
        assertThat(at).isEqualTo(end);
        assertThat(skipped).isLessThan(end);
    }

    @Test
    void shouldKeepWhatIsOnItsWayUntilItWasWritten() {
        // given as much as is kept, sent and not written
        assertThat(recent.from(EPOCH, 0)).isNull();
        List<PairMessage.Records> sent = new ArrayList<>();
        List<Runnable> written = new ArrayList<>();
        long at = 0;
        PairMessage.Records records;
        do {
            append(LARGE_BODY / 2);
            recent.addedUpTo(end);
            records = recent.from(EPOCH, at);
            if (records != null) {
                sent.add(records);
                written.add(recent.whenWritten());
                recent.sent();
                at = end;
            }
        } while (records != null);
        assertThat((long) sent.size() * LARGE_BODY / 2).isLessThanOrEqualTo(KEPT_BYTES);

        // when some of it is written, and its memory is filled with others
        assertThat(recent.from(EPOCH, end)).isNull();
        for (int i = 0; i < sent.size() / 2; i++) {
            written.get(i).run();
            append(LARGE_BODY / 2);
        }
        recent.addedUpTo(end);

        // then the rest of it is what it was
        assertThat(sent.subList(sent.size() / 2, sent.size())).allMatch(RecentRecordsTest::areWhole);
    }

    @Test
    void shouldKeepUsualRecordsOutsideTheHeap() {
        // given
        assertThat(recent.from(EPOCH, 0)).isNull();

        // when
        append(ENOUGH_BODY);
        recent.addedUpTo(end);

        // then
        assertThat((ByteBuffer) recent.from(EPOCH, 0).records()).matches(ByteBuffer::isDirect);
    }

    @Test
    void shouldKeepPiecesOfOneBlockApart() {
        // given two pieces, of which the first one is written
        assertThat(recent.from(EPOCH, 0)).isNull();
        append(BODY);
        recent.addedUpTo(end);
        long second = end;
        append(2 * BODY);
        recent.addedUpTo(end);
        written(recent);

        // when much more comes
        for (int i = 0; i < KEPT_BYTES / LARGE_BODY; i++) {
            append(LARGE_BODY / 2);
        }

        // then
        PairMessage.Records records = recent.from(EPOCH, second);
        assertThat(records.from()).isEqualTo(second);
        assertThat(areWhole(records)).isTrue();
    }

    private static void written(RecentRecords records) {
        Runnable written = records.whenWritten();
        records.sent();
        written.run();
    }

    private static boolean areWhole(PairMessage.Records records) {
        ByteBuffer content = ((ByteBuffer) records.records()).duplicate();
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        return RecordBytes.areWhole(new PairMessage.Records(records.epoch(), records.from(), records.end(), bytes));
    }

    private void append(int... bodies) {
        for (int body : bodies) {
            byte[] record = new byte[RecordHeader.BYTES + body];
            RecordHeader.write(
                    record, record.length, (int) EPOCH, ++sequence, LogPositions.inJournal(end), sequence - 1, 1);
            recent.add(end, record, record.length);
            end = Position.after(end, record.length);
        }
    }
}
