package dev.avocet.jms.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.junit.jupiter.api.Test;

class ArrivalQueueTest {
    private static final int MANY = 100_000;

    private final ArrivalQueue queue = new ArrivalQueue();

    /** Tells its number as its message format. */
    private static IncomingDelivery delivery(final int number) {
        return (IncomingDelivery) Proxy.newProxyInstance(
                IncomingDelivery.class.getClassLoader(),
                new Class<?>[] {IncomingDelivery.class},
                (proxy, method, arguments) -> method.getName().equals("getMessageFormat") ? (Object) number : null);
    }

    private List<Integer> pollAll() {
        final List<Integer> all = new ArrayList<>();
        for (IncomingDelivery next = queue.poll(); next != null; next = queue.poll()) {
            all.add(next.getMessageFormat());
        }
        return all;
    }

    @Test
    void shouldGiveWhatWasAddedInOrderOverManyChunks() {
        for (int i = 0; i < 1000; i++) {
            queue.add(delivery(i));
        }

        assertThat(queue.isEmpty()).isFalse();
        assertThat(pollAll()).hasSize(1000).isSorted();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
    }

    @Test
    void shouldNotGiveWhatWasWithdrawn() {
        for (int i = 0; i < 300; i++) {
            queue.add(delivery(i));
        }
        for (int i = 0; i < 130; i++) {
            queue.poll();
        }
        final List<Integer> withdrawn = new ArrayList<>();

        queue.withdraw(each -> each.getMessageFormat() % 2 == 0, each -> withdrawn.add(each.getMessageFormat()));
        queue.add(delivery(300));

        assertThat(withdrawn).hasSize(85).startsWith(130, 132).endsWith(298);
        assertThat(pollAll()).hasSize(86).startsWith(131, 133).endsWith(299, 300);
    }

    @Test
    void shouldBeEmptyWhenAllIsWithdrawn() {
        for (int i = 0; i < 128; i++) {
            queue.add(delivery(i));
        }

        queue.withdraw(each -> true, each -> {});

        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
        queue.add(delivery(7));
        assertThat(pollAll()).containsExactly(7);
    }

    @Test
    void shouldGiveEachOnceWhileAnotherThreadAddsAndWithdraws() {
        final IncomingDelivery one = delivery(1);
        final AtomicInteger withdrawn = new AtomicInteger();
        final CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> {
            for (int i = 1; i <= MANY; i++) {
                queue.add(one);
                if (i % 100 == 0) {
                    queue.withdraw(each -> true, each -> withdrawn.incrementAndGet());
                }
            }
        });

        int taken = 0;
        while (!adding.isDone()) {
            taken += queue.poll() == null ? 0 : 1;
        }
        adding.join();
        taken += pollAll().size();

        assertThat(taken + withdrawn.get()).isEqualTo(MANY);
    }
}
