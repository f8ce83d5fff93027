package dev.avocet.mqtt.session;

import static dev.avocet.mqtt.session.StoredSession.replay;
import static dev.avocet.mqtt.session.StoredSession.snapshot;
import static dev.avocet.mqtt.session.StoredSession.stateOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A client and a broker do anything that they may; the log is cut after any record, and what it says is what was. */
class MqttSessionProperties {
    private static final int STEPS = 80;

    private final StoredSession stored = new StoredSession();
    private final MqttSession session = stored.mqtt;
    private final List<StoredSession.Queue> queues = List.of(new StoredSession.Queue(3), new StoredSession.Queue(300));
    private final long[] nextReference = {1, 1_000_000};

    // the model
    private final Map<Integer, String> outbound = new TreeMap<>();
    private final Set<Integer> unreleased = new TreeSet<>();
    /** What was so when each record was closed. */
    private final List<Set<String>> states = new ArrayList<>();

    private final List<Set<String>> over = new ArrayList<>();

    @Property(tries = 60)
    void shouldBeWhatItWasWhereverTheLogEnds(@ForAll long seed) {
        MqttSessionProperties run = new MqttSessionProperties();
        run.play(new Random(seed));
        for (int records = 1; records <= run.states.size(); records++) {
            run.assertRestored(run.stored.replayed(records), records);
        }
    }

    @Property(tries = 60)
    void shouldBeWhatItWasAfterACheckpointAndWhatFollows(@ForAll long seed) {
        MqttSessionProperties run = new MqttSessionProperties();
        Random random = new Random(seed);
        run.play(random);
        List<byte[]> checkpoint = snapshot(run.session);
        int position = run.states.size() - run.stored.log.pending(); // everything before is durable
        run.play(random);

        MqttSession restored = new MqttSession();
        replay(checkpoint, restored);
        run.stored.log.records().subList(position, run.states.size()).forEach(entries -> replay(entries, restored));

        run.assertRestored(restored, run.states.size());
    }

    @Property(tries = 60)
    void shouldBeTheSameAfterASnapshot(@ForAll long seed) {
        MqttSessionProperties run = new MqttSessionProperties();
        run.play(new Random(seed));
        run.stored.commitAll();

        MqttSession restored = new MqttSession();
        replay(snapshot(run.session), restored);

        assertThat(stateOf(restored)).isEqualTo(run.state());
        assertThat(stateOf(run.session)).isEqualTo(run.state());
    }

    private void assertRestored(MqttSession restored, int records) {
        Set<String> state = stateOf(restored);
        Set<String> gone = over.get(records - 1); // the queues have these no longer, which frees their identifiers
        state.removeIf(change -> change.startsWith("IN_FLIGHT") && gone.contains(referenceOf(change)));
        assertThat(state).isEqualTo(states.get(records - 1));
    }

    private void play(Random random) {
        for (int i = 0; i < STEPS; i++) {
            stored.loops.on(0, () -> {
                for (int many = random.nextInt(12); many >= 0; many--) {
                    act(random);
                }
            });
            int before = stored.log.records().size();
            stored.loops.settle();
            if (stored.log.records().size() > before) {
                states.add(state());
                over.add(overNow());
            }
            while (stored.log.pending() > 0 && random.nextBoolean()) {
                stored.loops.on(0, stored.log::commit);
            }
        }
    }

    private void act(Random random) {
        switch (random.nextInt(6)) {
            case 0, 1 -> open(random);
            case 2, 3 -> answer(random);
            case 4 -> publish(random);
            default -> release(random);
        }
    }

    private void open(Random random) {
        int which = random.nextInt(4) == 0 ? 1 : 0;
        QualityOfService qos = random.nextBoolean() ? QualityOfService.AT_LEAST_ONCE : QualityOfService.EXACTLY_ONCE;
        StoredSession.Queue queue = queues.get(which);
        long reference = nextReference[which]++;
        InFlight delivery = stored.open(qos, queue, reference);
        outbound.put(
                delivery.packetId(),
                inFlight(qos) + " " + delivery.packetId() + " " + queue.durableId() + " " + reference);
    }

    /** The client says what comes next to one of its deliveries, if it can know it. */
    private void answer(Random random) {
        List<Integer> open = List.copyOf(outbound.keySet());
        if (open.isEmpty()) {
            return;
        }
        int packetId = open.get(random.nextInt(open.size()));
        InFlight delivery = session.outbound().find(packetId);
        assertThat(delivery).isNotNull();
        if (!session.outbound().isCommitted(delivery)) {
            return;
        }
        boolean refused = random.nextInt(10) == 0;
        if (delivery.isAwaitingCompletion() || delivery.qos() == QualityOfService.AT_LEAST_ONCE || refused) {
            session.outbound().complete(delivery);
            outbound.remove(packetId);
        } else {
            session.outbound().received(delivery);
            outbound.put(packetId, "RECEIVED " + packetId);
        }
    }

    private void publish(Random random) {
        int packetId = 1 + random.nextInt(100);
        if (!session.inbound().contains(packetId)) {
            session.inbound().addStored(packetId);
            unreleased.add(packetId);
        }
    }

    private void release(Random random) {
        int packetId = 1 + random.nextInt(100);
        boolean known = session.inbound().release(packetId) != InboundIds.UNKNOWN;
        assertThat(known).isEqualTo(unreleased.remove(packetId));
    }

    private Set<String> state() {
        Set<String> state = new TreeSet<>(outbound.values());
        unreleased.forEach(packetId -> state.add("UNRELEASED " + packetId));
        return state;
    }

    /** Queue and reference of each message that is settled. */
    private Set<String> overNow() {
        Set<String> gone = new TreeSet<>();
        queues.forEach(queue -> queue.over.forEach(reference -> gone.add(" " + queue.durableId() + " " + reference)));
        return gone;
    }

    private static String referenceOf(String inFlight) {
        int queue = inFlight.indexOf(' ', inFlight.indexOf(' ') + 1);
        return inFlight.substring(queue);
    }

    private static StateChange inFlight(QualityOfService qos) {
        return qos == QualityOfService.EXACTLY_ONCE
                ? StateChange.IN_FLIGHT_EXACTLY_ONCE
                : StateChange.IN_FLIGHT_AT_LEAST_ONCE;
    }
}
