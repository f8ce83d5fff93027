package dev.avocet.mqtt.session;

import static dev.avocet.mqtt.session.StoredSession.message;
import static dev.avocet.mqtt.session.StoredSession.options;
import static dev.avocet.mqtt.session.StoredSession.replay;
import static dev.avocet.mqtt.session.StoredSession.snapshot;
import static dev.avocet.mqtt.session.StoredSession.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.queue.transit.DeliverySource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MqttSessionTest {
    private static final QualityOfService QOS_1 = QualityOfService.AT_LEAST_ONCE;
    private static final QualityOfService QOS_2 = QualityOfService.EXACTLY_ONCE;

    private final StoredSession stored = new StoredSession();
    private final StoredSession.Queue queue = new StoredSession.Queue(7);
    private final MqttSession session = stored.mqtt;
    private final OutboundWindow window = session.outbound();

    @Test
    void shouldWriteAllChangesOfABatchAsOneEntry() {
        stored.batch(() -> {
            for (int i = 0; i < 500; i++) {
                stored.open(QOS_1, queue, 1000 + i);
            }
            session.inbound().addStored(9);
        });

        assertThat(stored.log.records()).hasSize(1);
        assertThat(stored.log.records().get(0)).hasSize(1);
        assertThat(stored.log.records().get(0).get(0)).hasSizeLessThan(20);
    }

    @Test
    void shouldWriteNothingWhereTheSessionIsNotStored() {
        MqttSession volatileSession = new MqttSession();
        InFlight delivery =
                volatileSession.outbound().open(message(QOS_2), options(QOS_2), queue, DeliverySource.NOT_STORED);

        assertThat(volatileSession.outbound().isCommitted(delivery)).isTrue();
        volatileSession.outbound().received(delivery);
        assertThat(volatileSession.outbound().isCommitted(delivery)).isTrue();
        assertThat(snapshot(volatileSession)).hasSize(1); // the next packet identifier
        assertThat(stateOf(volatileSession)).isEmpty();
    }

    @Test
    void shouldKnowWhatIsDurable() {
        // given
        InFlight[] deliveries = new InFlight[2];
        stored.batch(() -> deliveries[0] = stored.open(QOS_2, queue, 1));
        stored.batch(() -> deliveries[1] = stored.open(QOS_2, queue, 2));

        // when and then
        assertThat(window.isCommitted(deliveries[0])).isFalse();
        stored.batch(stored.log::commit);
        assertThat(window.isCommitted(deliveries[0])).isTrue();
        assertThat(window.isCommitted(deliveries[1])).isFalse();
        stored.batch(stored.log::commit);
        assertThat(window.isCommitted(deliveries[1])).isTrue();
    }

    @Test
    void shouldNotWaitForADeliveryAtLeastOnce() {
        stored.batch(() ->
                assertThat(window.isCommitted(stored.open(QOS_1, queue, 1))).isTrue());
    }

    @Test
    void shouldSendARestoredReferenceUnderItsOldIdentifier() {
        // given
        stored.batch(() -> {
            stored.open(QOS_1, queue, 10);
            stored.open(QOS_2, queue, 11);
        });
        MqttSession restored = stored.replayed(1);
        OutboundWindow again = restored.outbound();

        // when the queue delivers them, and a new one
        ReservedId first = Objects.requireNonNull(again.reservedFor(7, 10));
        again.open(first, message(QOS_2), first.fit(options(QOS_2)), queue, 10);
        ReservedId second = Objects.requireNonNull(again.reservedFor(7, 11));
        again.open(second, message(QOS_2), second.fit(options(QOS_2)), queue, 11);
        InFlight third = again.open(message(QOS_2), options(QOS_2), queue, 12);

        // then
        assertThat(Objects.requireNonNull(again.find(1)).qos()).isEqualTo(QOS_1);
        assertThat(Objects.requireNonNull(again.find(1)).wasSent()).isTrue();
        assertThat(Objects.requireNonNull(again.find(2)).qos()).isEqualTo(QOS_2);
        assertThat(third.packetId()).isEqualTo(3);
        assertThat(third.wasSent()).isFalse();
        assertThat(again.hasReserved()).isFalse();
    }

    @Test
    void shouldFreeIdentifiersWhoseReferencesAreOver() {
        // given
        stored.batch(() -> {
            for (int reference = 10; reference < 20; reference++) {
                stored.open(QOS_1, queue, reference);
            }
        });
        OutboundWindow again = stored.replayed(1).outbound();

        // when the queue comes to a later one first
        assertThat(Objects.requireNonNull(again.reservedFor(7, 15)).packetId()).isEqualTo(6);

        // then
        assertThat(again.reservedFor(8, 16)).as("another queue").isNull();
        assertThat(Objects.requireNonNull(again.reservedFor(7, 19)).packetId()).isEqualTo(10);
        assertThat(again.reservedFor(7, 20)).isNull();
        assertThat(again.hasReserved()).isFalse();
    }

    @Test
    void shouldForgetTheReferencesOfQueuesThatAreGone() {
        // given
        stored.batch(() -> {
            stored.open(QOS_2, queue, 10);
            stored.open(QOS_2, new StoredSession.Queue(8), 10);
        });
        MqttSession restored = stored.replayed(1);

        // when it comes back without subscriptions
        restored.onRestored(stored.client);

        // then
        assertThat(restored.outbound().hasReserved()).isFalse();
    }

    @Test
    void shouldNotGiveReservedIdentifiersToOthers() {
        // given
        stored.batch(() -> {
            InFlight[] open = new InFlight[6];
            for (int i = 0; i < open.length; i++) {
                open[i] = stored.open(QOS_1, queue, 10 + i);
            }
            window.complete(open[2]);
            window.complete(open[4]);
        });
        MqttSession restored = stored.replayed(1);
        OutboundWindow again = restored.outbound();
        again.restoreNext(1);
        assertThat(again.reservedFor(7, 13)).isNotNull(); // 10, 11 and 12 are over, that is identifiers 1 to 3

        // when
        int[] given = new int[4];
        for (int i = 0; i < given.length; i++) {
            given[i] =
                    again.open(message(QOS_1), options(QOS_1), queue, 100 + i).packetId();
        }

        // then
        assertThat(given).containsExactly(1, 2, 3, 7);
    }

    @Test
    void shouldKeepAPlaceForEveryRestoredDeliveryWhereverItsIdentifierIs() {
        // given identifiers that fall on the same slot of a small table
        StateEntryWriter entry = new StateEntryWriter();
        for (int packetId = 5; packetId < 65_535; packetId += 4096) {
            entry.add(StateChange.RECEIVED, packetId);
        }
        MqttSession restored = new MqttSession();
        replay(List.of(entry.toByteArray()), restored);
        OutboundWindow again = restored.outbound();
        assertThat(again.size()).isEqualTo(16);

        // when
        for (int i = 0; i < 1000; i++) {
            again.open(message(QOS_1), options(QOS_1), queue, 1 + i);
        }
        for (int packetId = 5; packetId < 65_535; packetId += 4096) {
            again.complete(Objects.requireNonNull(again.find(packetId)));
        }

        // then
        assertThat(again.size()).isEqualTo(1000);
        assertThat(again.find(5)).isNull();
        assertThat(again.inOrder()).hasSize(1000);
    }

    @Test
    void shouldFindAnIdentifierWhenAllAreReserved() {
        // given
        StateEntryWriter entry = new StateEntryWriter();
        for (int packetId = 1; packetId <= 65_535; packetId++) {
            entry.add(StateChange.IN_FLIGHT_AT_LEAST_ONCE, packetId, 7, packetId);
        }
        MqttSession restored = new MqttSession();
        replay(List.of(entry.toByteArray()), restored);

        // when another queue delivers
        InFlight delivery = restored.outbound().open(message(QOS_1), options(QOS_1), queue, 1);

        // then
        assertThat(delivery.packetId()).isPositive();
        assertThat(restored.outbound().find(delivery.packetId())).isSameAs(delivery);
    }

    @Test
    void shouldTellWhichIdentifiersHaveBecomeFreeWithoutAWord() {
        // given
        stored.batch(() -> {
            for (int i = 0; i < 100; i++) {
                window.complete(stored.open(QOS_1, queue, 1 + i));
            }
        });

        // when
        stored.batch(() -> stored.open(QOS_1, queue, 101));

        // then
        assertThat(stateOf(stored.replayed(2))).containsExactly("IN_FLIGHT_AT_LEAST_ONCE 101 7 101");
    }

    @Test
    void shouldNotBringAPublishThroughACheckpointThatIsNotDurable() {
        // given
        stored.batch(() -> session.inbound().addStored(4));
        stored.commitAll();
        stored.batch(() -> session.inbound().addStored(5));

        // when and then
        assertThat(stateOf(session)).containsExactly("UNRELEASED 4");
        stored.commitAll();
        assertThat(stateOf(session)).containsExactly("UNRELEASED 4", "UNRELEASED 5");
    }

    @Test
    void shouldNotKeepTheIdentifierOfAPublishThatIsNotStored() {
        session.inbound().add(4);

        assertThat(stateOf(session)).isEmpty();
        assertThat(session.isCommitted(session.inbound().release(4))).isTrue();
        assertThat(session.inbound().release(4)).isEqualTo(InboundIds.UNKNOWN);
    }

    @Test
    void shouldWriteWhatItHasNotedBeforeItMoves() {
        // given
        stored.loops.on(0, () -> stored.open(QOS_2, queue, 1));

        // when
        stored.loops.on(0, session::onDisconnect);

        // then
        stored.loops.settle();
        assertThat(stored.log.records()).hasSize(1);
        assertThat(stateOf(stored.replayed(1))).isEqualTo(Set.of("IN_FLIGHT_EXACTLY_ONCE 1 7 1"));
    }

    @Test
    void shouldNotWriteOnALoopThatTheSessionHasLeft() {
        // given a session that is about to be taken to another loop
        stored.loops.on(1, () -> stored.claim(1));
        stored.loops.on(0, () -> {
            stored.open(QOS_2, queue, 1);
            session.onDisconnect();
        });
        assertThat(stored.loops.get(0).runOne()).isTrue();
        stored.loops.get(1).runAll();
        assertThat(stored.client.home()).isSameAs(stored.loops.io(1));

        // when the batch of the old loop ends after the new one has begun to work
        stored.loops.on(1, () -> stored.open(QOS_2, queue, 2));
        stored.loops.get(0).runAll();

        // then
        assertThat(stored.log.records()).hasSize(1);
        assertThat(stateOf(stored.replayed(1))).containsExactly("IN_FLIGHT_EXACTLY_ONCE 1 7 1");
        stored.loops.settle();
        assertThat(stateOf(stored.replayed(2)))
                .containsExactly("IN_FLIGHT_EXACTLY_ONCE 1 7 1", "IN_FLIGHT_EXACTLY_ONCE 2 7 2");
    }

    @Test
    void shouldHearOfACommitOnTheLoopThatTheSessionHasGoneTo() {
        // given
        InFlight[] delivery = new InFlight[1];
        stored.batch(() -> delivery[0] = stored.open(QOS_2, queue, 1));
        stored.loops.on(0, session::onDisconnect);
        stored.loops.on(1, () -> stored.claim(1));
        stored.loops.settle();
        int[] heard = new int[1];
        session.onCommit(() -> {
            assertThat(stored.loops.io(1).inLoop()).isTrue();
            heard[0]++;
        });

        // when
        stored.commitAll();

        // then
        assertThat(heard[0]).isEqualTo(1);
        assertThat(window.isCommitted(delivery[0])).isTrue();
    }

    @Test
    void shouldEndWithoutAnEntry() {
        // given
        stored.batch(() -> window.received(stored.open(QOS_2, queue, 1)));
        int before = stored.log.records().size();

        // when
        stored.batch(session::onSessionEnd);

        // then
        assertThat(stored.log.records()).hasSize(before);
        assertThat(window.size()).isZero();
    }
}
