package dev.avocet.core.security.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.security.login.SourceNetwork;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Logins of two networks, and one thread, which is held up until all have come. */
final class LoginThreadsTest {
    private static final int PLACES = 1_024;
    private static final SourceNetwork ATTACKER = new SourceNetwork(4, 1);
    private static final SourceNetwork CLIENT = new SourceNetwork(4, 2);

    private final LoginThreads threads = new LoginThreads("test", 1, PLACES);
    private final CountDownLatch held = new CountDownLatch(1);
    private final List<String> checked = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        held.countDown();
        threads.close();
    }

    @Test
    void shouldCheckALoginBeforeTheFloodThatCameFirst() {
        // given
        holdUp();
        for (int i = 0; i < 10 * PLACES; i++) {
            come(ATTACKER, "attacker " + i);
        }
        assertThat(threads.waiting()).isEqualTo(PLACES);
        assertThat(refused).hasSize(9 * PLACES);

        // when
        come(CLIENT, "client");
        held.countDown();

        // then
        await().until(() -> checked.size() == PLACES);
        assertThat(checked.subList(0, 3)).containsExactly("attacker 0", "client", "attacker 1");
        assertThat(refused).hasSize(9 * PLACES + 1).doesNotContain("client").endsWith("attacker " + (PLACES - 1));
        assertThat(threads.waiting()).isZero();
    }

    @Test
    void shouldRefuseWhatWaitsAndWhatComesLaterWhenItIsClosed() {
        // given
        holdUp();
        come(CLIENT, "early");

        // when
        threads.close();
        come(CLIENT, "late");

        // then
        assertThat(refused).containsExactly("early", "late");
        assertThat(checked).isEmpty();
    }

    private void come(SourceNetwork from, String login) {
        threads.execute(from, () -> checked.add(login), () -> refused.add(login));
    }

    private void holdUp() {
        CountDownLatch begun = new CountDownLatch(1);
        threads.execute(
                SourceNetwork.UNKNOWN,
                () -> {
                    begun.countDown();
                    awaitQuietly(held);
                },
                () -> refused.add("the one that holds up"));
        awaitQuietly(begun);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
