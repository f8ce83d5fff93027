package dev.avocet.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.avocet.testkit.ManualClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class StoreMetersTest {
    private static final long ONE_MILLI_NS = 1_000_000;

    private final ManualClock clock = new ManualClock();
    private final FakeStore store = new FakeStore();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    StoreMetersTest() {
        new StoreMeters(store, clock).bindTo(registry);
    }

    @Test
    void shouldNameEveryFigureAndItsUnit() {
        // given
        store.commit(ONE_MILLI_NS);
        store.commit(3 * ONE_MILLI_NS);
        clock.advance(Duration.ofSeconds(1));

        // when
        String scraped = registry.scrape();

        // then
        assertThat(scraped)
                .contains("avocet_store_segments 3.0", "avocet_store_bytes 8.05306368E8")
                .contains("avocet_store_live_references 12.0", "avocet_store_live_percent 33.3")
                .contains("avocet_store_checkpoint_age_seconds 7.0", "avocet_store_checkpoint_duration_seconds 0.05")
                .contains("avocet_store_checkpoints_total 4.0", "avocet_store_dropped_segments_total 5.0")
                .contains("avocet_store_moved_messages_total 6.0", "avocet_store_read_back_messages_total 8.0")
                .contains("avocet_store_commits_total 2.0", "avocet_store_records_total 2.0")
                .contains("avocet_store_pending_bytes 99.0", "avocet_store_full 0.0", "avocet_store_failed 0.0")
                .contains("avocet_store_commit_latency_seconds_count 2")
                .contains("avocet_store_commit_latency_percentile_seconds{phi=\"0.99\"} 0.003")
                .contains("avocet_store_commit_records_percentile{phi=\"0.5\"}");
        assertThat(figure("avocet_store_commit_latency_seconds_sum")).isCloseTo(0.004, within(0.0001));
        assertThat(figure("avocet_store_commit_latency_max_seconds")).isCloseTo(0.003, within(0.0001));
    }

    @Test
    void shouldStillTellAfterACollection() {
        // given
        WeakReference<Object> canary = new WeakReference<>(new Object());

        // when
        Awaitility.await("a collection").until(() -> {
            System.gc();
            return canary.get() == null;
        });

        // then
        assertThat(registry.scrape())
                .contains("avocet_store_segments 3.0", "avocet_store_checkpoints_total 4.0")
                .doesNotContain("NaN");
    }

    @Test
    void shouldLookAtTheStoreOnceForAScrape() {
        // given
        clock.advance(Duration.ofSeconds(1));
        int before = store.looks();

        // when
        registry.scrape();

        // then
        assertThat(store.looks()).isEqualTo(before + 1);
    }

    @Test
    void shouldForgetALatencyThatIsLongAgo() {
        // given
        store.commit(500 * ONE_MILLI_NS);
        clock.advance(Duration.ofSeconds(30));
        double soonAfter = figure("avocet_store_commit_latency_max_seconds");

        // when
        for (int minute = 0; minute < 3; minute++) {
            clock.advance(Duration.ofSeconds(60));
            store.commit(ONE_MILLI_NS);
            registry.scrape();
        }

        // then
        assertThat(soonAfter).isCloseTo(0.5, within(0.01));
        assertThat(figure("avocet_store_commit_latency_max_seconds")).isCloseTo(0.001, within(0.0001));
        assertThat(figure("avocet_store_commit_latency_seconds_count")).isEqualTo(4);
    }

    private double figure(String name) {
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }
}
