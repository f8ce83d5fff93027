package dev.avocet.core.store.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.SegmentMaps;
import dev.avocet.core.store.checkpoint.TakenCheckpoint;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CheckpointScheduleTest {
    private static final SegmentMap MAP = SegmentMaps.upTo(100);

    private final ManualClock clock = new ManualClock();
    private final SegmentTable table = new SegmentTable(() -> MAP);
    private final CheckpointSchedule schedule = new CheckpointSchedule(this::take, table, StoreRig.settings(), clock);
    private int current = 5;
    private int tries;
    private boolean fails;
    private Duration takes = Duration.ofMillis(10);

    @Test
    void shouldTakeOneAfterTheIntervalWhenSomethingWasWritten() {
        // when
        int idle = triesWithin(Duration.ofMinutes(5));
        table.appended(5, 1, 100);
        int busy = triesWithin(Duration.ofMinutes(5));

        // then
        assertThat(idle).isZero();
        assertThat(busy).isEqualTo(1);
    }

    @Test
    void shouldTakeOneEarlierWhenMuchWasWritten() {
        // given
        look();

        // when
        current += 3;
        int little = triesWithin(Duration.ofSeconds(10));
        current += 1;
        int much = triesWithin(Duration.ofSeconds(10));

        // then
        assertThat(little).isZero();
        assertThat(much).isEqualTo(1);
    }

    @Test
    void shouldTakeOneEarlierWhenMuchIsDead() {
        // given
        look(0, false);

        // when
        look(3, false);
        int little = tries;
        look(4, false);
        int much = tries;

        // then
        assertThat(little).isZero();
        assertThat(much).isEqualTo(1);
    }

    @Test
    void shouldRestAfterOneThatTookLong() {
        // given
        takes = Duration.ofSeconds(20);
        look();
        current += 4;
        look();

        // when
        current += 7;
        int soon = triesWithin(Duration.ofSeconds(58));
        int later = triesWithin(Duration.ofSeconds(4));

        // then
        assertThat(soon).isZero();
        assertThat(later).isEqualTo(1);
    }

    @Test
    void shouldRestLessWhileSegmentsPileUp() {
        // given
        takes = Duration.ofSeconds(20);
        look();
        current += 4;
        look();

        // when
        current += 8;
        int soon = triesWithin(Duration.ofSeconds(18));
        int later = triesWithin(Duration.ofSeconds(4));

        // then
        assertThat(soon).isZero();
        assertThat(later).isEqualTo(1);
    }

    @Test
    void shouldNotHurryAfterAFailureHoweverManySegmentsPileUp() {
        // given
        look();
        current += 40;
        fails = true;

        // when
        int triesOfAMinute = triesWithin(Duration.ofMinutes(1));

        // then
        assertThat(triesOfAMinute).isBetween(5, 7);
    }

    @Test
    void shouldTryAgainAfterAFailureButNotAtOnce() {
        // given
        look();
        current += 4;
        fails = true;

        // when
        int triesOfAMinute = triesWithin(Duration.ofMinutes(1));

        // then
        assertThat(triesOfAMinute).isBetween(5, 7);
        assertThat(schedule.failures()).isEqualTo(triesOfAMinute);
        assertThat(schedule.taken()).isZero();
        assertThat(schedule.isCovered(4)).isFalse();
    }

    @Test
    void shouldTakeOneForDeadSegmentsEvenWhenNothingIsWritten() {
        // when
        look(1, false);
        clock.advance(Duration.ofSeconds(31));
        look(1, false);

        // then
        assertThat(tries).isEqualTo(1);
    }

    @Test
    void shouldHurryWhileTheDiskIsShortButLeaveASecondBetweenTwo() {
        // when
        for (int i = 0; i < 40; i++) {
            look(1, true);
            clock.advance(Duration.ofMillis(100));
        }

        // then
        assertThat(tries).isEqualTo(4);
    }

    @Test
    void shouldTakeOneThatIsAskedFor() {
        // when
        schedule.request();
        look();
        look();

        // then
        assertThat(tries).isEqualTo(1);
        assertThat(schedule.number()).isEqualTo(1);
    }

    @Test
    void shouldTellWhatIsCoveredAndWhatCanGo() {
        // given
        table.appended(3, 1, 100);
        takeAnother();
        boolean coveredByOne = schedule.isCovered(4);
        boolean goesAfterOne = schedule.canGo(4);

        // when
        takeAnother();

        // then the dead one can go, the one being written and the one alive cannot
        assertThat(coveredByOne).isTrue();
        assertThat(goesAfterOne).isFalse();
        assertThat(schedule.canGo(4)).isTrue();
        assertThat(schedule.canGo(5)).isFalse();
        assertThat(schedule.canGo(3)).isFalse();

        // and when it dies, it must be dead for two more
        table.release(FilePlace.of(3, 0), 100);
        boolean goesAtOnce = schedule.canGo(3);
        takeAnother();
        boolean goesAfterOneMore = schedule.canGo(3);
        takeAnother();
        assertThat(goesAtOnce).isFalse();
        assertThat(goesAfterOneMore).isFalse();
        assertThat(schedule.canGo(3)).isTrue();
    }

    private TakenCheckpoint take() throws IOException {
        tries++;
        clock.advance(takes);
        if (fails) {
            throw new IOException("no room");
        }
        return new TakenCheckpoint(tries, FilePlace.of(current, 100));
    }

    private void takeAnother() {
        schedule.request();
        clock.advance(Duration.ofSeconds(2));
        look();
    }

    private void look() {
        look(0, false);
    }

    private void look(int dropsWaiting, boolean diskShort) {
        List<Segment> segments = IntStream.rangeClosed(1, current)
                .mapToObj(number -> new Segment(number, 1000, Path.of("segment")))
                .toList();
        schedule.takeIfDue(segments, dropsWaiting, diskShort);
    }

    private int triesWithin(Duration time) {
        int before = tries;
        long endNs = clock.nanoTime() + time.toNanos();
        while (clock.nanoTime() < endNs) {
            look();
            clock.advance(Duration.ofMillis(250));
        }
        return tries - before;
    }
}
