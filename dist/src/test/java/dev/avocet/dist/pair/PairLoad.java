package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.fault.Consuming;
import dev.avocet.dist.fault.Party;
import dev.avocet.dist.fault.Publishing;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.dist.fault.WireClient.Received;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;

/** Clients of a pair that never rest, each with an account of what it was told. */
final class PairLoad implements AutoCloseable {
    private static final int TIMEOUT_MS = 3_000;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int MORE = 20;

    private final FaultyPair pair;
    private final List<Publishing> publishers = new ArrayList<>();
    private final List<Consuming> consumers = new ArrayList<>();
    private final List<Probing> probers = new ArrayList<>();
    private final List<AckedAt> answers = new ArrayList<>();
    private final Transacting transacting;

    PairLoad(FaultyPair pair) {
        this.pair = pair;
        for (int qos = 1; qos <= 2; qos++) {
            String topic = "load/" + qos;
            consumers.add(new Consuming(pair.ports(), "consumer-" + qos, topic, qos, TIMEOUT_MS));
            publishers.add(new Publishing(pair.ports(), "publisher-" + qos, topic, qos, TIMEOUT_MS));
        }
        FaultyPair.BROKERS.forEach(node -> probers.add(new Probing(pair.port(node), node, "state/" + node)));
        transacting = new Transacting(pair.ports());
    }

    /** Returns when all of them work. */
    void start() {
        consumers.forEach(PairLoad::start);
        eventually(() -> assertThat(consumers).allMatch(Consuming::isSubscribed));
        publishers.forEach(PairLoad::start);
        probers.forEach(PairLoad::start);
        transacting.start();
        awaitMore();
    }

    /** Returns when each has got on, and all that was acknowledged before has arrived. */
    void awaitMore() {
        int[] before = publishers.stream().mapToInt(Publishing::acknowledged).toArray();
        int committed = transacting.account().committedCount();
        int taken = transacting.account().takenCount();
        int probed = probers.stream().mapToInt(Probing::acknowledged).sum();
        eventually(() -> {
            assertNoProblem();
            for (int i = 0; i < before.length; i++) {
                assertThat(publishers.get(i).acknowledged()).isGreaterThan(before[i] + MORE);
                assertThat(consumers.get(i).next()).isGreaterThan(before[i]);
            }
            assertThat(transacting.account().committedCount()).isGreaterThan(committed + MORE);
            assertThat(transacting.account().takenCount()).isGreaterThan(taken + MORE);
            assertThat(probers.stream().mapToInt(Probing::acknowledged).sum()).isGreaterThan(probed + MORE);
        });
    }

    /** @param epochs that have begun since the load has */
    void assertOneActiveAtATime(int epochs) {
        probers.forEach(prober -> answers.addAll(prober.takeAnswers()));
        assertThat(Terms.least(answers))
                .as("leaderships of which clients can tell, of %d epochs", epochs)
                .isLessThanOrEqualTo(epochs);
    }

    void assertNoProblem() {
        assertThat(parties()).extracting(Party::problem).containsOnlyNulls();
        assertThat(transacting.problem()).isNull();
    }

    /** Nothing new is sent; returns when everything has arrived, and asserts that it has. */
    void settle() throws IOException {
        transacting.finish();
        publishers.forEach(Publishing::finish);
        probers.forEach(Party::stop);
        eventually(() -> {
            assertNoProblem();
            assertThat(publishers).allMatch(Publishing::isFinished);
            for (int i = 0; i < publishers.size(); i++) {
                assertThat(consumers.get(i).next()).isEqualTo(publishers.get(i).published());
            }
            assertThat(transacting.isFinished()).isTrue();
            assertThat(transacting.account().missing().stream()).isEmpty();
        });
        assertRetained();
        stop();
    }

    /** What is retained is the latest that was acknowledged, or one that was sent after it. */
    private void assertRetained() throws IOException {
        try (WireClient reader =
                new WireClient(pair.port(pair.awaitActive()), "reader-of-state", WireClient.MQTT_3_1_1)) {
            for (Probing prober : probers) {
                if (prober.acknowledged() == 0) {
                    continue;
                }
                reader.subscribe(prober.topic(), 0);
                Received packet = reader.read();
                while (packet.type() == WireClient.SUBACK) {
                    packet = reader.read();
                }
                assertThat(packet.number()).as(prober.topic()).isBetween(prober.acknowledged(), prober.sent());
            }
        }
    }

    String summary() {
        return publishers.stream().mapToInt(Publishing::acknowledged).sum() + " published, "
                + consumers.stream().mapToInt(Consuming::repeated).sum() + " repeated at QoS 1, "
                + transacting.account().takenCount() + " in transactions, "
                + probers.stream().mapToInt(Probing::acknowledged).sum() + " retained";
    }

    /** Each ends its work, and none complains any more. */
    void stop() {
        parties().forEach(Party::stop);
        transacting.stop();
    }

    @Override
    public void close() {
        stop();
    }

    private List<Party> parties() {
        List<Party> parties = new ArrayList<>(publishers);
        parties.addAll(consumers);
        parties.addAll(probers);
        return parties;
    }

    private static void start(Party party) {
        Thread thread = new Thread(party);
        thread.setDaemon(true);
        thread.start();
    }

    private void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).untilAsserted(condition);
    }
}
