package dev.avocet.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.store.FakeStore;
import dev.avocet.server.store.StoreMeters;
import dev.avocet.testkit.ManualClock;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class MetricsTest {
    /** A registry holds what its meters look at by weak references only. */
    @Test
    void shouldStillMeasureAfterACollection() {
        try (Metrics metrics = new Metrics(false)) {
            // given
            metrics.bind(new StoreMeters(new FakeStore(), new ManualClock()));

            // when
            collectGarbage();

            // then
            assertThat(metrics.scrape())
                    .contains("\navocet_store_segments 3.0\n", "\navocet_store_full 0.0\n")
                    .contains("\navocet_store_checkpoints_total 4.0\n");
        }
    }

    private static void collectGarbage() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        while (garbage.get() != null) {
            System.gc();
        }
    }
}
