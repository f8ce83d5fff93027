package dev.avocet.core.store.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.DisconnectCause;
import dev.avocet.core.session.SessionRegistry;
import dev.avocet.core.session.SessionStore;
import dev.avocet.core.session.SubscriptionRequest;
import dev.avocet.core.session.Subscriptions;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.time.Clock;
import dev.avocet.core.topic.SubtreeGenerations;
import dev.avocet.core.topic.TopicTree;
import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session is taken in turns of its loop. */
final class SessionCaptureTest {
    private static final int SUBSCRIPTIONS = 100;
    /** Between two looks at the clock. */
    private static final long STEP_NS = 100_000;

    private static final int PER_TURN = 10;

    private final ManualLoops loops = new ManualLoops(1);
    private final Subscriptions subscriptions =
            new Subscriptions(new TopicTree<>(new SubtreeGenerations(), 32), 0, SessionStore.NONE);
    private final SessionRegistry registry =
            new SessionRegistry(subscriptions, (session, will) -> {}, SessionStore.NONE);
    private final List<ClientSession> sessions = new ArrayList<>();

    @Test
    void shouldTakeSubscriptionsInShortTurns() {
        // given
        ClientSession session = sessionWithSubscriptions();
        SessionCapture capture = begin(session);

        // when
        int turns = 1;
        for (boolean more = gather(capture); more; more = gather(capture)) {
            turns++;
        }

        // then
        assertThat(turns).isEqualTo(SUBSCRIPTIONS / PER_TURN);
        assertThat(capture.isConnected()).isFalse();
        assertThat(capture.subscriptions())
                .extracting(StoredSubscription::key)
                .containsExactlyInAnyOrderElementsOf(
                        session.subscriptionsByKey().keySet())
                .hasSize(SUBSCRIPTIONS);
    }

    @Test
    void shouldLeaveOutASubscriptionThatEndsMeanwhile() {
        // given
        ClientSession session = sessionWithSubscriptions();
        SessionCapture capture = begin(session);
        assertThat(gather(capture)).isTrue();

        // when
        String last = "key" + (SUBSCRIPTIONS - 1);
        loops.on(0, () -> subscriptions.unsubscribe(session, last));
        while (gather(capture)) {
            // goes on
        }

        // then
        assertThat(capture.subscriptions())
                .hasSize(SUBSCRIPTIONS - 1)
                .extracting(StoredSubscription::key)
                .doesNotContain(last);
    }

    @Test
    void shouldEndWhenTheClientHasComeAndGoneBetweenTwoTurns() {
        // given
        ClientSession session = sessionWithSubscriptions();
        SessionCapture capture = begin(session);
        assertThat(gather(capture)).isTrue();

        // when
        Client client = new Client();
        loops.on(0, () -> registry.claim("client", false, loops.io(0), client));
        loops.settle();
        loops.on(0, () -> registry.disconnected(session, false));

        // then
        assertThat(sessions).containsExactly(session);
        assertThat(session.client()).isNull();
        assertThat(gather(capture)).isFalse();
        assertThat(capture.isConnected()).isTrue();
    }

    private ClientSession sessionWithSubscriptions() {
        ClientSession[] made = new ClientSession[1];
        loops.on(0, () -> {
            ClientSession session = registry.restore("client", 100, null, -1, loops.io(0));
            for (int i = 0; i < SUBSCRIPTIONS; i++) {
                subscriptions.subscribe(
                        session,
                        new SubscriptionRequest(
                                "key" + i,
                                TopicFilter.of("a/" + i),
                                null,
                                new DeliveryOptions(
                                        QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS),
                                false,
                                QueueLimits.DEFAULT));
            }
            made[0] = session;
        });
        return made[0];
    }

    private SessionCapture begin(ClientSession session) {
        SessionCapture[] begun = new SessionCapture[1];
        loops.on(0, () -> begun[0] = SessionCapture.begin(session, new SteppingClock()));
        return begun[0];
    }

    private boolean gather(SessionCapture capture) {
        boolean[] more = new boolean[1];
        loops.on(0, () -> more[0] = capture.gather());
        return more[0];
    }

    /** Goes on with each look at it. */
    private static final class SteppingClock implements Clock {
        private long nowNs;

        @Override
        public long nanoTime() {
            return nowNs += STEP_NS;
        }

        @Override
        public long wallTimeMs() {
            return nowNs / 1_000_000;
        }
    }

    /** A connection as the registry sees it. */
    private final class Client implements ConnectedClient, SessionRegistry.Claimant {
        @Override
        public ConnectedClient onSession(ClientSession given, boolean wasPresent) {
            sessions.add(given);
            given.expirySeconds(100);
            return this;
        }

        @Override
        public void disconnect(DisconnectCause cause) {
            throw new AssertionError("disconnected because of " + cause);
        }
    }
}
