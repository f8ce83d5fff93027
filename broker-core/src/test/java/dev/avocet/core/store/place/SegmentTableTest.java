package dev.avocet.core.store.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.SegmentMaps;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SegmentTableTest {
    private static final SegmentMap MAP = SegmentMaps.upTo(500);

    private final SegmentTable table = new SegmentTable(() -> MAP);

    @Test
    void shouldCountWhatIsAppendedAndReleased() {
        // when
        table.appended(7, 3, 300);
        table.appended(7, 0, 0);
        table.recovered(FilePlace.of(8, 40), 50);
        table.release(FilePlace.of(7, 1000), 100);

        // then
        assertThat(table.live(7)).isEqualTo(2);
        assertThat(table.liveBytes(7)).isEqualTo(200);
        assertThat(table.live(8)).isEqualTo(1);
        assertThat(table.liveBytes(8)).isEqualTo(50);
        assertThat(table.live(9)).isZero();
        assertThat(table.totalLive()).isEqualTo(3);
        assertThat(table.appends()).isEqualTo(2);
    }

    @Test
    void shouldAssumeTheMeanWhereTheSizeIsNotKnown() {
        // given
        table.appended(7, 4, 400);

        // when
        table.release(FilePlace.of(7, 40));

        // then
        assertThat(table.liveBytes(7)).isEqualTo(300);
    }

    @Test
    void shouldShowWhenMoreIsReleasedThanThereWas() {
        // given
        table.appended(7, 1, 100);

        // when
        table.release(7, 2, 200);
        table.release(FilePlace.of(499, 0), 10);

        // then
        assertThat(table.live(7)).isEqualTo(-1);
        assertThat(table.liveBytes(7)).isZero();
        assertThat(table.strays()).isEqualTo(1);
    }

    @Test
    void shouldCollectReleasesOfManySegmentsUntilTheyAreDurable() {
        // given
        Random chance = new Random(5);
        SegmentReleases releases = new SegmentReleases(table);
        int segments = 500;
        long[] live = new long[segments + 1];
        long[] bytes = new long[segments + 1];
        for (int segment = 1; segment <= segments; segment++) {
            table.appended(segment, 1000, 1_000_000);
            live[segment] = 1000;
            bytes[segment] = 1_000_000;
        }

        for (int round = 0; round < 50; round++) {
            // when
            int reach = 1 + chance.nextInt(segments);
            for (int i = chance.nextInt(500); i > 0; i--) {
                int segment = 1 + chance.nextInt(reach);
                int size = chance.nextInt(900);
                releases.add(FilePlace.of(segment, 40L * i), size);
                live[segment]--;
                bytes[segment] -= size;
            }
            boolean hadSome = !releases.isEmpty();
            releases.flush();

            // then
            assertThat(hadSome || releases.isEmpty()).isTrue();
            assertThat(releases.isEmpty()).isTrue();
            for (int segment = 1; segment <= segments; segment++) {
                assertThat(table.live(segment)).isEqualTo(live[segment]);
                assertThat(table.liveBytes(segment)).isEqualTo(Math.max(0, bytes[segment]));
            }
        }
    }

    @Test
    void shouldLoseNothingBetweenThreads() throws InterruptedException {
        // given
        int each = 200_000;
        int segments = 10;
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= segments; i++) {
            table.appended(i, 4 * each / segments, 4L * each / segments * 10);
        }

        // when
        for (int t = 0; t < 4; t++) {
            threads.add(new Thread(() -> {
                SegmentReleases releases = new SegmentReleases(table);
                for (int i = 0; i < each; i++) {
                    releases.add(FilePlace.of(1 + i % segments, i), 10);
                    if (i % 100 == 0) {
                        releases.flush();
                    }
                }
                releases.flush();
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        // then
        assertThat(table.totalLive()).isZero();
        for (int i = 1; i <= segments; i++) {
            assertThat(table.live(i)).isZero();
        }
    }
}
