package dev.avocet.server.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PagedReferencesTest {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final PagedReferences paged = new PagedReferences(bytes::get, () -> {
        asked.incrementAndGet();
        return CompletableFuture.completedFuture("queue 'orders' holds most messages of all queues, 12");
    });

    @Test
    void shouldAskForTheLargestQueueOnceAndAgainWhenReferencesHaveDoubled() {
        // when
        int withNone = askedAt(0);
        int first = askedAt(1_000);
        int withMore = askedAt(1_999);
        int doubled = askedAt(2_000);

        // then
        assertThat(withNone).isZero();
        assertThat(first).isEqualTo(1);
        assertThat(withMore).isEqualTo(1);
        assertThat(doubled).isEqualTo(2);
    }

    @Test
    void shouldAskAgainAfterTheFileWasEmpty() {
        // given
        assertThat(askedAt(5_000)).isEqualTo(1);
        assertThat(askedAt(0)).isEqualTo(1);

        // then
        assertThat(askedAt(100)).isEqualTo(2);
    }

    private int askedAt(long present) {
        bytes.set(present);
        paged.look();
        return asked.get();
    }
}
