package dev.avocet.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.topic.Subscription;
import dev.avocet.core.topic.SubtreeGenerations;
import dev.avocet.core.topic.TopicTree;
import dev.avocet.testkit.ManualLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SessionRegistryTest {
    private static final TopicName TOPIC = TopicName.of("a/b");

    private final ManualLoops loops = new ManualLoops(3);
    private final TopicTree<Subscription> tree = new TopicTree<>(new SubtreeGenerations(), 32);
    private final Subscriptions subscriptions = new Subscriptions(tree, 0, SessionStore.NONE);
    private final List<String> wills = new ArrayList<>();
    private final SessionRegistry registry =
            new SessionRegistry(subscriptions, (session, will) -> wills.add(session.clientId()), SessionStore.NONE);

    @Test
    void shouldMakeAndResumeASessionAndBeginAfreshWhenAsked() {
        // given
        Client first = claim("client", false, 0, 100);
        assertThat(first.present).isFalse();
        first.session().protocolState(new EndCounting(() -> first.ended++));
        leave(first, true);

        // when, then
        Client second = claim("client", false, 0, 100);
        assertThat(second.present).isTrue();
        assertThat(second.session()).isSameAs(first.session());
        leave(second, true);
        Client third = claim("client", true, 0, 100);
        assertThat(third.present).isFalse();
        assertThat(third.session()).isNotSameAs(first.session());
        assertThat(first.session().hasEnded()).isTrue();
        assertThat(first.ended).isEqualTo(1);
        assertThat(total(Counter.SESSIONS)).isEqualTo(1);
        assertThat(total(Counter.SESSIONS_CONNECTED)).isEqualTo(1);
    }

    @Test
    void shouldTakeASessionOverOnTheSameLoop() {
        Client first = claim("client", false, 0, 100);

        Client second = claim("client", false, 0, 100);

        assertThat(first.causes).containsExactly(DisconnectCause.TAKEN_OVER);
        assertThat(second.present).isTrue();
        assertThat(total(Counter.SESSIONS_TAKEN_OVER)).isEqualTo(1);
        assertThat(total(Counter.SESSIONS_CONNECTED)).isEqualTo(1);
    }

    @Test
    void shouldMoveASessionWithItsQueuesToAnotherLoop() {
        Client first = claim("client", false, 0, 100);
        SubscriptionQueue queue = subscribe(first, "a/b", null);

        Client second = claim("client", false, 2, 100);

        assertThat(first.causes).containsExactly(DisconnectCause.TAKEN_OVER);
        assertThat(second.present).isTrue();
        assertThat(second.session().home()).isSameAs(loops.io(2));
        assertThat(queue.home()).isSameAs(loops.io(2));
    }

    @Test
    void shouldEndATakenOverSessionThatDoesNotOutliveItsConnection() {
        Client first = claim("client", false, 0, 0);
        SubscriptionQueue queue = subscribe(first, "a/b", null);

        Client second = claim("client", false, 1, 0);

        assertThat(second.present).isFalse();
        assertThat(queue.isClosed()).isTrue();
        assertThat(total(Counter.SESSIONS)).isEqualTo(1);
        assertThat(total(Counter.SUBSCRIPTIONS)).isZero();
    }

    @Test
    void shouldCloseManyConnectionsInTurns() {
        // given
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < 1_200; i++) {
            clients.add(claim("client " + i, false, i % 2, 100));
        }

        // when
        CompletableFuture<Integer> closed = registry.disconnectIf(loops.io(0), (session, client) -> true);
        loops.get(0).runOne();

        // then
        assertThat(closed).isNotDone();
        assertThat(clients.stream().filter(client -> !client.causes.isEmpty()).count())
                .isLessThanOrEqualTo(500);

        // when
        loops.settle();

        // then
        assertThat(closed).isCompletedWithValue(600);
        CompletableFuture<Void> rest = registry.disconnectAll(loops.io(1), DisconnectCause.SHUTTING_DOWN);
        loops.get(1).runOne();
        assertThat(rest).isNotDone();
        loops.settle();
        assertThat(total(Counter.SESSIONS_CONNECTED)).isZero();
        assertThat(clients).allMatch(client -> client.causes.size() == 1);
    }

    @Test
    void shouldNotTakeASessionAwayThatIsOnItsWayToAnotherClaimant() {
        // given
        leave(claim("client", false, 0, 100), true);
        Client first = begin("client", false, 1, 100);
        loops.get(0).runOne(); // it is on its way to loop 1
        Client second = begin("client", false, 0, 100);

        // when each loop does all it has in turn
        for (int round = 0; round < 10; round++) {
            loops.get(1).runAll();
            loops.get(0).runAll();
        }

        // then
        assertThat(loops.isIdle()).isTrue();
        assertThat(first.causes).containsExactly(DisconnectCause.TAKEN_OVER);
        assertThat(second.session().home()).isSameAs(loops.io(0));
        assertThat(total(Counter.SESSIONS_CONNECTED)).isEqualTo(1);
    }

    @Test
    void shouldServeManyClaimantsOneAfterTheOther() {
        for (int seed = 0; seed < 500; seed++) {
            Random chance = new Random(seed);
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                clients.add(
                        begin("client " + seed, chance.nextInt(4) == 0, chance.nextInt(3), chance.nextInt(2) * 50L));
                for (int pause = chance.nextInt(4); pause > 0; pause--) {
                    loops.step(chance);
                }
            }
            loops.settle(chance);

            ClientSession session = registry.find("client " + seed);
            assertThat(clients).as("seed %d", seed).allMatch(client -> client.session != null);
            List<Client> connected =
                    clients.stream().filter(client -> client.causes.isEmpty()).toList();
            assertThat(connected).as("seed %d", seed).hasSize(1);
            assertThat(session).isNotNull();
            assertThat(session.client()).as("seed %d", seed).isSameAs(connected.get(0));
            assertThat(session.home().index()).isEqualTo(connected.get(0).loop);
            assertThat(total(Counter.SESSIONS)).as("seed %d", seed).isEqualTo(seed + 1);
            assertThat(total(Counter.SESSIONS_CONNECTED)).as("seed %d", seed).isEqualTo(seed + 1);
        }
    }

    @Test
    void shouldEndASessionWhenItsTimeIsOverAndNotBefore() {
        Client client = claim("client", false, 0, 10);
        SubscriptionQueue queue = subscribe(client, "a/b", null);
        leave(client, false);

        advance(9);
        assertThat(registry.find("client")).isNotNull();
        advance(1);

        assertThat(registry.find("client")).isNull();
        assertThat(queue.isClosed()).isTrue();
        assertThat(matching()).isEmpty();
        assertThat(total(Counter.SESSIONS_EXPIRED)).isEqualTo(1);
        assertThat(total(Counter.SESSIONS)).isZero();
    }

    @Test
    void shouldKeepASessionWhoseClientIsBackInTime() {
        Client client = claim("client", false, 0, 10);
        leave(client, false);
        advance(9);
        claim("client", false, 1, 10);

        advance(100);

        assertThat(registry.find("client")).isNotNull();
    }

    @Test
    void shouldPublishAWillAtOnceOrAfterItsDelay() {
        Client atOnce = claim("at once", false, 0, 100);
        atOnce.session().will(will(0));
        Client later = claim("later", false, 1, 100);
        later.session().will(will(5));

        leave(atOnce, true);
        leave(later, true);

        assertThat(wills).containsExactly("at once");
        advance(5);
        assertThat(wills).containsExactly("at once", "later");
        advance(200);
        assertThat(wills).hasSize(2);
    }

    @Test
    void shouldForgetTheWillOfAClientThatSaidGoodBye() {
        Client client = claim("client", false, 0, 100);
        client.session().will(will(0));
        leave(client, false);
        advance(200);
        assertThat(wills).isEmpty();
    }

    @Test
    void shouldPublishADelayedWillWhenTheSessionEndsBefore() {
        Client short1 = claim("short", false, 0, 3);
        short1.session().will(will(100));
        leave(short1, true);
        Client none = claim("none", false, 0, 0);
        none.session().will(will(100));

        leave(none, true);
        assertThat(wills).containsExactly("none");
        advance(3);

        assertThat(wills).containsExactly("none", "short");
    }

    @Test
    void shouldNotPublishTheDelayedWillOfAClientThatIsBackThroughAnotherLoop() {
        Client client = claim("client", false, 0, 100);
        client.session().will(will(5));
        leave(client, true);
        advance(4);

        claim("client", false, 1, 100);
        advance(100);

        assertThat(wills).isEmpty();
    }

    @Test
    void shouldPublishADelayedWillWhenACleanStartEndsTheSession() {
        Client client = claim("client", false, 0, 100);
        client.session().will(will(50));

        claim("client", true, 1, 100);

        assertThat(wills).containsExactly("client");
    }

    @Test
    void shouldPublishAnUndelayedWillAtTakeOver() {
        Client client = claim("client", false, 0, 100);
        client.session().will(will(0));

        Client next = claim("client", false, 1, 100);

        assertThat(wills).containsExactly("client");
        assertThat(next.session().will()).isNull();
    }

    @Test
    void shouldKeepTheQueueWhenOptionsChange() {
        Client client = claim("client", false, 0, 100);
        SubscriptionQueue before = subscribe(client, "a/b", null);

        SubscriptionQueue after = subscribe(client, "a/b", null);

        assertThat(after).isSameAs(before);
        assertThat(matching()).hasSize(1);
        assertThat(total(Counter.SUBSCRIPTIONS)).isEqualTo(1);
    }

    @Test
    void shouldShareOneQueueAmongMembersOfSeveralLoopsUntilTheLastLeaves() {
        Client one = claim("one", true, 0, 0);
        Client two = claim("two", true, 1, 0);
        SubscriptionQueue queue = subscribe(one, "$share/g/a/b", "g");
        assertThat(subscribe(two, "$share/g/a/b", "g")).isSameAs(queue);
        assertThat(subscribe(two, "$share/g/a/b", "g")).as("again").isSameAs(queue);
        assertThat(matching()).hasSize(1);
        assertThat(subscriptions.sharedQueues()).containsExactly(queue);

        leave(one, true);
        loops.settle();
        assertThat(queue.isClosed()).isFalse();
        assertThat(matching()).hasSize(1);
        loops.on(1, () -> subscriptions.unsubscribe(two.session(), "$share/g/a/b"));
        loops.settle();

        assertThat(queue.isClosed()).isTrue();
        assertThat(matching()).isEmpty();
        assertThat(subscriptions.sharedQueues()).isEmpty();
        assertThat(subscribe(two, "$share/g/a/b", "g")).as("a new one").isNotSameAs(queue);
    }

    @Test
    void shouldCloseTheQueueOfASubscriptionThatEnds() {
        Client client = claim("client", false, 0, 100);
        SubscriptionQueue queue = subscribe(client, "a/b", null);
        loops.on(0, () -> queue.attach(FakeConsumer.settling(1)));

        loops.on(0, () -> {
            assertThat(subscriptions.unsubscribe(client.session(), "a/b")).isTrue();
            assertThat(subscriptions.unsubscribe(client.session(), "a/b")).isFalse();
        });

        assertThat(queue.isClosed()).isTrue();
        assertThat(matching()).isEmpty();
    }

    private List<Subscription> matching() {
        List<Subscription> found = new ArrayList<>();
        tree.match(TOPIC, found::add);
        return found;
    }

    private SubscriptionQueue subscribe(Client client, String key, @Nullable String group) {
        SubscriptionRequest request = new SubscriptionRequest(
                key,
                TopicFilter.of("a/b"),
                group,
                new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS),
                false,
                QueueLimits.DEFAULT);
        SubscriptionQueue[] queue = new SubscriptionQueue[1];
        loops.on(
                client.loop,
                () -> queue[0] = subscriptions
                        .subscribe(client.session(), request)
                        .subscription()
                        .queue());
        return queue[0];
    }

    private Client claim(String clientId, boolean cleanStart, int loop, long expirySeconds) {
        Client client = begin(clientId, cleanStart, loop, expirySeconds);
        loops.settle();
        return client;
    }

    private Client begin(String clientId, boolean cleanStart, int loop, long expirySeconds) {
        Client client = new Client(loop, expirySeconds);
        loops.on(loop, () -> registry.claim(clientId, cleanStart, loops.io(loop), client));
        return client;
    }

    private void leave(Client client, boolean publishWill) {
        loops.on(client.loop, () -> registry.disconnected(client.session(), publishWill));
    }

    private void advance(int seconds) {
        loops.advance(Duration.ofSeconds(seconds));
        loops.settle();
    }

    private long total(Counter counter) {
        return loops.all().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }

    private static Will will(long delaySeconds) {
        return new Will(
                TOPIC, QualityOfService.AT_LEAST_ONCE, false, new byte[0], MessageProperties.NONE, delaySeconds, -1);
    }

    /** A connection as the registry sees it. */
    private static final class Client implements ConnectedClient, SessionRegistry.Claimant {
        final int loop;
        final long expirySeconds;
        final List<DisconnectCause> causes = new ArrayList<>();

        @Nullable ClientSession session;

        boolean present;
        int ended;

        Client(int loop, long expirySeconds) {
            this.loop = loop;
            this.expirySeconds = expirySeconds;
        }

        @Override
        public ConnectedClient onSession(ClientSession given, boolean wasPresent) {
            session = given;
            present = wasPresent;
            given.expirySeconds(expirySeconds);
            return this;
        }

        @Override
        public void disconnect(DisconnectCause cause) {
            causes.add(cause);
        }

        ClientSession session() {
            if (session == null) {
                throw new AssertionError("no session yet");
            }
            return session;
        }
    }
}
