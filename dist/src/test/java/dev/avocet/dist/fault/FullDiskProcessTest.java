package dev.avocet.dist.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Launched;
import dev.avocet.testkit.LoopDisk;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole broker on a real file system without a free block. Skipped where this machine cannot mount loop devices.
 */
@InTurn
@Timeout(300)
class FullDiskProcessTest {
    private static final long DISK_BYTES = 40L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String STORE = """
            {"mode": "sync", "journal": "%s", "segmentBytes": 1048576, "checkpointIntervalSeconds": 1,
             "diskFreeMinBytes": 4194304}""";

    @TempDir
    private Path directory;

    private LoopDisk disk;
    private TestedBroker tested;
    private final List<Offering> newPublishers = new ArrayList<>();
    private Offering oldPublisher;
    private final List<Offering> publishers = new ArrayList<>();
    private final List<Collecting> consumers = new ArrayList<>();
    private Echo echo;
    private final List<Thread> threads = new ArrayList<>();

    @BeforeAll
    static void requireLoopDevices() {
        assumeThat(LoopDisk.obstacle())
                .as("a small disk needs root and loop devices")
                .isEmpty();
    }

    @AfterEach
    void removeDisk() throws IOException {
        parties().forEach(Party::stop);
        disk.close();
    }

    /** In an ordinary build one of the two; the other one has its disk fail meanwhile. */
    static List<String> journals() {
        return RandomSuite.oneOf(2, List.of("file", "chronicle"));
    }

    @ParameterizedTest
    @MethodSource("journals")
    void shouldRefuseMessagesWhileTheDiskIsFull(String journal) throws IOException, InterruptedException {
        // given
        prepare(journal);
        try (Launched broker = tested.launch()) {
            start(consumers);
            eventually(() -> assertThat(consumers).allMatch(Collecting::isReady));
            start(publishers);
            start(List.of(echo));
            awaitAccepted(200);

            Path others = disk.fill();
            awaitFull(broker);
            Files.delete(others);
            awaitRoom(broker);

            consumers.forEach(Party::leave);
            awaitFull(broker);
            consumers.forEach(Party::comeBack);
            awaitRoom(broker);

            broker.signal("KILL");
            broker.exitCode();
            assertThat(broker.output())
                    .contains("WARN  journal-space SpaceWatch: Messages are refused, acknowledgements are not: ")
                    .contains("INFO  journal-space SpaceWatch: The journal has room again: messages are accepted")
                    .doesNotContain("\tat ");
        }

        // when
        try (Launched broker = tested.launch()) {
            awaitAccepted(50);
            publishers.forEach(Offering::finish);
            eventually(() -> assertThat(threads.subList(consumers.size(), consumers.size() + publishers.size()))
                    .noneMatch(Thread::isAlive));

            // then
            eventually(() -> assertThat(consumers)
                    .allSatisfy(consumer -> assertThat(consumer.receivedCount())
                            .isGreaterThanOrEqualTo(
                                    publishers.get(consumers.indexOf(consumer)).acceptedCount())));
            broker.terminate();
            assertThat(broker.exitCode()).isZero();
        }
        parties().forEach(Party::stop);
        for (Thread thread : threads) {
            thread.join();
        }
        assertAccount();
    }

    private void prepare(String journal) throws IOException {
        disk = LoopDisk.create(directory, DISK_BYTES);
        tested = new TestedBroker(directory, disk.path().resolve("data"), STORE.formatted(journal));
        int port = tested.port();
        newPublishers.add(new Offering(port, "publisher-0", WireClient.MQTT_5, "disk/0"));
        newPublishers.add(new Offering(port, "publisher-1", WireClient.MQTT_5, "disk/1"));
        oldPublisher = new Offering(port, "publisher-2", WireClient.MQTT_3_1_1, "disk/2");
        publishers.addAll(newPublishers);
        publishers.add(oldPublisher);
        for (int i = 0; i < publishers.size(); i++) {
            consumers.add(new Collecting(port, "consumer-" + i, "disk/" + i));
        }
        echo = new Echo(port);
    }

    /** Whoever has to store something is refused, everything else goes on, and whoever looks is told. */
    private void awaitFull(Launched broker) throws IOException, InterruptedException {
        eventually(() -> assertThat(broker.httpGet("/health")).contains("\"full\""));
        int[] refused = newPublishers.stream().mapToInt(Offering::refusedCount).toArray();
        int connections = oldPublisher.connections();
        int echoed = echo.count();
        eventually(() -> {
            for (int i = 0; i < refused.length; i++) {
                assertThat(newPublishers.get(i).refusedCount()).isGreaterThan(refused[i] + 100);
            }
            assertThat(oldPublisher.connections()).isGreaterThan(connections + 3);
            assertThat(echo.count()).isGreaterThan(echoed + 20);
        });
        assertThat(newPublishers).allMatch(publisher -> publisher.connections() == 1);
        // full again: what the consumers have acknowledged may have given a segment's room back for a moment
        eventually(() -> assertThat(broker.httpGet("/health")).contains("\"running\"", "\"full\""));
        eventually(() -> assertThat(broker.httpGet("/metrics")).contains("\navocet_store_full 1.0\n"));
        assertThat(problems()).isEmpty();
    }

    private void awaitRoom(Launched broker) throws IOException, InterruptedException {
        awaitAccepted(50);
        eventually(() -> assertThat(broker.httpGet("/health")).contains("\"accepting\""));
        eventually(() -> assertThat(broker.httpGet("/metrics")).contains("\navocet_store_full 0.0\n"));
        assertThat(newPublishers).allMatch(publisher -> publisher.connections() == 1);
    }

    private void awaitAccepted(int more) {
        int[] accepted = publishers.stream().mapToInt(Offering::acceptedCount).toArray();
        eventually(() -> {
            assertThat(problems()).isEmpty();
            for (int i = 0; i < accepted.length; i++) {
                assertThat(publishers.get(i).acceptedCount()).isGreaterThan(accepted[i] + more);
            }
        });
    }

    private void assertAccount() {
        assertThat(problems()).isEmpty();
        for (int i = 0; i < publishers.size(); i++) {
            BitSet lost = (BitSet) publishers.get(i).accepted().clone();
            lost.andNot(consumers.get(i).received());
            assertThat(lost.stream()).as("acknowledged and lost").isEmpty();
            BitSet delivered = (BitSet) publishers.get(i).refused().clone();
            delivered.and(consumers.get(i).received());
            assertThat(delivered.stream()).as("refused and delivered").isEmpty();
        }
    }

    private void start(List<? extends Party> parties) {
        for (Party party : parties) {
            Thread thread = new Thread(party);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private List<String> problems() {
        return parties().stream().map(Party::problem).filter(Objects::nonNull).toList();
    }

    private List<Party> parties() {
        List<Party> parties = new ArrayList<>(publishers);
        parties.addAll(consumers);
        parties.add(echo);
        return parties;
    }

    private static void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).untilAsserted(condition);
    }
}
