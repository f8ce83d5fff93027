package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.loop.MemoryLevel;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class HeapSamplerTest {
    private static final long MAX_BYTES = 100_000_000;
    private static final long MB = 1_000_000;
    private static final Duration COLLECTION = Duration.ofMillis(200);

    private final ManualClock clock = new ManualClock();
    private final MemoryGuard memory = new MemoryGuard();
    private final List<MemoryLevel> levels = new ArrayList<>();
    private final FakeHeap heap = new FakeHeap();
    private final FakeTenant tenant = new FakeTenant();
    private final HeapSampler sampler =
            new HeapSampler(heap, tenant, memory, (level, freePercent) -> levels.add(level), clock);

    @Test
    void shouldRefuseNothingForTheSakeOfGarbage() {
        // given: a collection that left most of the garbage where it was
        heap.survived = 95 * MB;
        heap.alive = 30 * MB;

        // when
        sampler.sample();

        // then
        assertThat(heap.collections).isEqualTo(1);
        assertThat(levels).as("levels told").isEmpty();
        assertThat(memory.level()).isEqualTo(MemoryLevel.NORMAL);
    }

    @Test
    void shouldBelieveWhatACollectionOfEverythingLeaves() {
        heap.survived = 95 * MB;
        heap.alive = 92 * MB;

        sampler.sample();

        assertThat(levels).containsExactly(MemoryLevel.REFUSE_CLIENTS);
        assertThat(tenant.shed).isEqualTo(1);
    }

    @Test
    void shouldRefuseNothingWhileACollectionBesideTheBrokerMayStillFreeIt() {
        // given
        heap.collectsBeside = true;
        sampler.sample();
        heap.survived = 95 * MB;

        // when
        sampler.sample();
        clock.advance(Duration.ofSeconds(2));
        sampler.sample();

        // then
        assertThat(heap.collections).isEqualTo(1);
        assertThat(heap.collecting).isTrue();
        assertThat(memory.level()).isEqualTo(MemoryLevel.NORMAL);

        // and when it has done enough
        heap.survived = 20 * MB;
        sampler.sample();
        assertThat(levels).as("levels told").isEmpty();
        assertThat(heap.collecting).isFalse();
    }

    @Test
    void shouldBelieveWhatACollectionBesideTheBrokerLeavesForSeconds() {
        // given
        heap.collectsBeside = true;
        sampler.sample();
        heap.survived = 95 * MB;
        sampler.sample();

        // when
        clock.advance(Duration.ofSeconds(3));
        sampler.sample();

        // then
        assertThat(memory.level()).isEqualTo(MemoryLevel.REFUSE_CLIENTS);
        assertThat(heap.collecting).isTrue();

        // and as it frees more
        heap.survived = 88 * MB;
        sampler.sample();
        assertThat(memory.level()).isEqualTo(MemoryLevel.REJECT_MESSAGES);
        heap.survived = 20 * MB;
        sampler.sample();
        assertThat(memory.level()).isEqualTo(MemoryLevel.NORMAL);
        assertThat(heap.collecting).isFalse();
    }

    @Test
    void shouldCountWhatTheBrokerTakesDuringACollectionBesideIt() {
        // given
        heap.collectsBeside = true;
        sampler.sample();
        heap.survived = 95 * MB;
        sampler.sample();
        assertThat(memory.level()).isEqualTo(MemoryLevel.NORMAL);

        // when
        tenant.messageBytes = 95 * MB;
        sampler.sample();

        // then
        assertThat(memory.level()).isEqualTo(MemoryLevel.REFUSE_CLIENTS);
    }

    @Test
    void shouldLeaveTimeBetweenCollections() {
        // given
        heap.survived = 95 * MB;
        heap.alive = 92 * MB;
        sampler.sample();

        // when
        clock.advance(COLLECTION.multipliedBy(4).minusMillis(1));
        sampler.sample();
        assertThat(heap.collections).isEqualTo(1);
        clock.advance(Duration.ofMillis(1));
        heap.alive = 88 * MB; // from here on clients are served again, so there is more to be disturbed
        sampler.sample();
        assertThat(memory.level()).isEqualTo(MemoryLevel.REJECT_MESSAGES);
        clock.advance(COLLECTION.multipliedBy(20).minusMillis(1));
        sampler.sample();
        assertThat(heap.collections).isEqualTo(2);
        clock.advance(Duration.ofMillis(1));
        heap.alive = 20 * MB;
        sampler.sample();

        // then
        assertThat(heap.collections).isEqualTo(3);
        assertThat(memory.level()).isEqualTo(MemoryLevel.NORMAL);
    }

    @Test
    void shouldNotCollectWhatTheBrokerHolds() {
        heap.survived = 10 * MB;
        sampler.sample();
        tenant.messageBytes = 82 * MB;

        sampler.sample();

        assertThat(memory.level()).isEqualTo(MemoryLevel.REFUSE_CLIENTS);
        assertThat(heap.collections).isZero();
    }

    @Test
    void shouldNoticeWhatTheBrokerTakesAndLetsGoBetweenCollections() {
        heap.survived = 40 * MB;
        tenant.messageBytes = 30 * MB;
        sampler.sample();
        assertThat(memory.level()).isEqualTo(MemoryLevel.NORMAL);

        tenant.messageBytes = 80 * MB;
        sampler.sample();
        assertThat(memory.level()).isEqualTo(MemoryLevel.REJECT_MESSAGES);

        tenant.messageBytes = 0;
        sampler.sample();
        assertThat(memory.level()).isEqualTo(MemoryLevel.NORMAL);
    }

    @Test
    void shouldSayWhenReferencesDoNotFit() {
        heap.survived = 10 * MB;
        tenant.referenceBytes = 50 * MB - 1;
        sampler.sample();
        assertThat(memory.storesMessages()).isTrue();

        tenant.referenceBytes = 50 * MB;
        sampler.sample();
        assertThat(memory.storesMessages()).isFalse();
        assertThat(memory.isShortForNow()).isFalse();
    }

    private final class FakeHeap implements Heap {
        private long survived;
        private long alive;
        private int collections;
        private boolean collecting;
        private boolean collectsBeside;

        @Override
        public long maxBytes() {
            return MAX_BYTES;
        }

        @Override
        public long usedBytes() {
            return 0;
        }

        @Override
        public long survivedBytes() {
            return survived;
        }

        @Override
        public boolean collect() {
            collections++;
            collecting = collectsBeside;
            if (!collectsBeside) {
                survived = alive;
                clock.advance(COLLECTION);
            }
            return !collectsBeside;
        }

        @Override
        public void endCollecting() {
            collecting = false;
        }
    }

    private static final class FakeTenant implements HeapTenant {
        private long messageBytes;
        private long referenceBytes;
        private int shed;

        @Override
        public long messageBytes() {
            return messageBytes;
        }

        @Override
        public long references() {
            return referenceBytes / 20;
        }

        @Override
        public long referenceBytes() {
            return referenceBytes;
        }

        @Override
        public CompletableFuture<String> largestQueue() {
            return CompletableFuture.completedFuture("queue 'orders' holds most messages of all queues, 12");
        }

        @Override
        public void shedPayloads() {
            shed++;
        }
    }
}
