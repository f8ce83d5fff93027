package dev.avocet.dist.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Launched;
import dev.avocet.testkit.LoopDisk;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A real file system stops to work under the running broker, and what was not forced is gone. Skipped where this
 * machine cannot mount loop devices.
 */
@InTurn
@Timeout(300)
class FailedDiskProcessTest {
    private static final long DISK_BYTES = 64L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONGEST_END = Duration.ofSeconds(60);
    private static final String STORE = """
            {"mode": "sync", "journal": "%s", "segmentBytes": 1048576, "checkpointIntervalSeconds": 1,
             "diskFreeMinBytes": 4194304}""";

    @TempDir
    private Path directory;

    private final List<Publishing> publishers = new ArrayList<>();
    private final List<Consuming> consumers = new ArrayList<>();

    @BeforeAll
    static void requireLoopDevices() {
        assumeThat(LoopDisk.obstacle())
                .as("a disk that fails needs root and loop devices")
                .isEmpty();
    }

    /** In an ordinary build one of the two; the other one has its disk filled up meanwhile. */
    static List<String> journals() {
        return RandomSuite.oneOf(2, List.of("chronicle", "file"));
    }

    @ParameterizedTest
    @MethodSource("journals")
    void shouldEndWhenItsDiskFails(String journal) throws IOException, InterruptedException {
        try (LoopDisk disk = LoopDisk.create(directory, DISK_BYTES)) {
            // given
            TestedBroker tested = new TestedBroker(directory, disk.path().resolve("data"), STORE.formatted(journal));
            for (int pair = 0; pair < 4; pair++) {
                int qos = 1 + pair % 2;
                consumers.add(new Consuming(tested.port(), "consumer-" + pair, "fail/" + pair, qos));
                publishers.add(new Publishing(tested.port(), "publisher-" + pair, "fail/" + pair, qos));
            }
            List<Consuming> awayAtTheTime = consumers.subList(2, 4); // only the disk knows what they are to get
            try (Launched broker = tested.launch()) {
                consumers.forEach(FailedDiskProcessTest::start);
                eventually(() -> assertThat(consumers).allMatch(Consuming::isSubscribed));
                publishers.forEach(FailedDiskProcessTest::start);
                eventually(() -> assertThat(publishers).allMatch(publisher -> publisher.acknowledged() > 500));
                awayAtTheTime.forEach(Party::leave);
                eventually(() -> assertThat(awayAtTheTime).noneMatch(Party::isConnected));

                // when it stands still, so that no force is under way that the cut lets succeed for nothing
                broker.stop();
                disk.cutPower();
                long cutNs = System.nanoTime();
                broker.signal("CONT");

                // then
                assertThat(broker.exitCode()).isEqualTo(5);
                assertThat(Duration.ofNanos(System.nanoTime() - cutNs)).isLessThan(LONGEST_END);
                assertThat(broker.output())
                        .containsOnlyOnce(
                                "Server: The store has failed; nothing is acknowledged any more, and the broker ends")
                        .doesNotContain("\tat ");
            }

            // when
            disk.restart();
            try (Launched broker = tested.launch()) {
                awayAtTheTime.forEach(Party::comeBack);
                publishers.forEach(Publishing::finish);

                // then
                eventually(() -> {
                    assertThat(problems()).isEmpty();
                    assertThat(publishers).allMatch(Publishing::isFinished);
                    for (int i = 0; i < publishers.size(); i++) {
                        assertThat(consumers.get(i).next())
                                .isEqualTo(publishers.get(i).published());
                    }
                });
                broker.terminate();
                assertThat(broker.exitCode()).isZero();
            } finally {
                parties().forEach(Party::stop);
            }
        }
    }

    private List<String> problems() {
        return parties().stream().map(Party::problem).filter(Objects::nonNull).toList();
    }

    private List<Party> parties() {
        List<Party> parties = new ArrayList<>(publishers);
        parties.addAll(consumers);
        return parties;
    }

    private static void start(Party party) {
        Thread thread = new Thread(party);
        thread.setDaemon(true);
        thread.start();
    }

    private static void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).untilAsserted(condition);
    }
}
