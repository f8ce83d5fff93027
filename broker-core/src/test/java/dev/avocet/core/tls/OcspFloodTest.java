package dev.avocet.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.status.ClientStatuses;
import dev.avocet.core.tls.status.OcspOptions;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import dev.avocet.testkit.TestResponder;
import dev.avocet.testkit.TestResponder.Behavior;
import dev.avocet.testkit.turn.InTurn;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ten thousand clients at once whose certificates are unknown, while the OCSP responder is silent. */
@InTurn
class OcspFloodTest {
    private static final int FLOOD = 10_000;
    private static final int MOST_WAITING = 1_024;
    private static final int THREADS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private final TestAuthority authority = new TestAuthority("Clients CA");
    private final TestResponder responder = new TestResponder(authority);
    private final Issued known = authority.issue("known", responder.url());
    private final ClientStatuses statuses = new ClientStatuses(
            "test",
            new OcspOptions(null, TIMEOUT, Duration.ofHours(1), OcspOptions.Nonce.OPTIONAL, false, false),
            () -> List.of(authority.certificate()),
            new SystemClock());

    @AfterEach
    void close() {
        statuses.close();
        responder.close();
    }

    @Test
    void shouldAskAsManyTimesAsItHasThreadsAndStillKnowWhomItKnew() throws Exception {
        // given
        check(known).get(20, TimeUnit.SECONDS);
        responder.behave(Behavior.SILENT);
        List<Issued> strangers = new ArrayList<>();
        for (int i = 0; i < MOST_WAITING; i++) {
            strangers.add(authority.issueAlike(known, "stranger " + i, responder.url()));
        }
        int before = responder.requests();

        // when
        List<CompletableFuture<Void>> flood = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            flood.add(check(strangers.get(i % MOST_WAITING)));
        }

        // then those beyond the queue are refused at once, and who is known does not wait
        assertThat(statuses.waiting()).isLessThanOrEqualTo(MOST_WAITING);
        assertThat(flood.stream().filter(CompletableFuture::isCompletedExceptionally))
                .hasSizeGreaterThanOrEqualTo(FLOOD - MOST_WAITING);
        assertThatThrownBy(flood.get(FLOOD - 1)::get).hasMessageContaining("1024 other clients wait");
        assertThat(check(known)).isCompleted();

        // and all others after the timeout, most of whom the responder was not asked about
        await().atMost(TIMEOUT.multipliedBy(5))
                .until(() -> flood.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        assertThat(responder.requests() - before).isBetween(1, 2 * THREADS);
        assertThat(statuses.waiting()).isZero();

        // when it answers again, others log in as usual
        responder.behave(Behavior.USUAL);
        check(authority.issueAlike(known, "later", responder.url())).get(20, TimeUnit.SECONDS);
    }

    private CompletableFuture<Void> check(Issued issued) {
        return statuses.check(new X509Certificate[] {issued.certificate()});
    }
}
