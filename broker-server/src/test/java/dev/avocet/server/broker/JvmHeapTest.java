package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the collector that the launcher chooses, G1. */
final class JvmHeapTest {
    private static final String YOUNG = "G1 Young Generation";
    private static final String FULL = "G1 Old Generation";

    @BeforeEach
    void requireG1() {
        assumeThat(ManagementFactory.getGarbageCollectorMXBeans())
                .as("collectors")
                .anyMatch(collector -> collector.getName().equals(FULL));
    }

    @Test
    void shouldCollectALargeHeapInShortPausesUntilThatEnds() {
        // given
        JvmHeap heap = new JvmHeap(0);
        String intervalMs = intervalMs();
        long full = collections(FULL);
        long young = collections(YOUNG);

        // when
        heap.collect();
        heap.collect();

        // then
        Awaitility.await("collections that nothing but the heap has asked for").until(() -> collections(YOUNG) > young);
        assertThat(collections(FULL)).isEqualTo(full);
        assertThat(intervalMs()).isNotEqualTo(intervalMs);
        heap.endCollecting();
        heap.endCollecting();
        assertThat(intervalMs()).isEqualTo(intervalMs);
    }

    @Test
    void shouldCollectASmallHeapAtOnce() {
        // given
        JvmHeap heap = new JvmHeap(Long.MAX_VALUE);
        long full = collections(FULL);

        // when
        heap.collect();

        // then
        assertThat(collections(FULL)).isGreaterThan(full);
        heap.endCollecting();
        assertThat(heap.survivedBytes()).isPositive();
    }

    private static String intervalMs() {
        return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("G1PeriodicGCInterval")
                .getValue();
    }

    private static long collections(String collector) {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(one -> one.getName().equals(collector))
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
