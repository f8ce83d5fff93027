package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Launched;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.dist.fault.WireClient.Received;
import dev.avocet.testkit.LoopDisk;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A standby on a real file system without a free block. Skipped where this machine cannot mount loop devices. */
@InTurn
@Timeout(300)
class StandbyDiskProcessTest {
    private static final long DISK_BYTES = 128L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String TOPIC = "kept";
    private static final String CONFIGURATION = """
            {"store": {"mode": "sync", "segmentBytes": 4194304}}""";

    /** More than a segment and the one that is ready behind it. */
    private static final int BATCH = 500;

    private static final int PAYLOAD_BYTES = 20_000;

    @TempDir
    private Path folder;

    private int acknowledged;

    @BeforeAll
    static void requireLoopDevices() {
        assumeThat(LoopDisk.obstacle())
                .as("a small disk needs root and loop devices")
                .isEmpty();
    }

    @Test
    void shouldComeBackIntoSyncOnceTheDiskOfTheStandbyHasRoomAgain() throws Exception {
        try (LoopDisk disk = LoopDisk.create(folder, DISK_BYTES);
                PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given a standby on a small disk, beside an arbiter
            Path configuration = Files.writeString(folder.resolve("broker.json"), CONFIGURATION);
            pair.keepFilesIn("b", disk.path().resolve("data"));
            pair.startArbiter().awaitLine("ready");
            Launched active = pair.start("a", "--config", configuration.toString());
            Launched standby = pair.start("b", "--config", configuration.toString());
            active.awaitLine("ready");
            standby.awaitLine("ready");
            pair.makeActive("a");
            subscribe(pair.port("a"));
            publish(pair.port("a"));

            // when others take all of that disk
            Path others = disk.fill();
            publish(pair.port("a"));

            // then the active node goes on alone, and the standby says why it does not follow, and lives
            assertThat(standby.awaitLineWith(" is full: this node neither follows"))
                    .contains("Make room");
            eventually(() -> assertThat(active.httpGet("/health")).contains("\"inSync\":[\"a\"]"));
            eventually(() -> assertThat(standby.httpGet("/metrics"))
                    .contains("\navocet_pair_disk_full 1.0\n", "\navocet_pair_in_sync 0.0\n"));
            publish(pair.port("a"));
            assertThat(standby.httpGet("/health")).contains("\"role\":\"standby syncing\"");

            // when there is room again
            Files.delete(others);

            // then it has everything by itself, and takes over
            eventually(() -> assertThat(standby.httpGet("/metrics"))
                    .contains("\navocet_pair_disk_full 0.0\n", "\navocet_pair_in_sync 1.0\n"));
            eventually(() -> assertThat(active.httpGet("/health")).contains("\"inSync\":[\"a\",\"b\"]"));
            int epoch = pair.epoch("a");
            pair.kill("a");
            pair.awaitActive("b", epoch);
            assertThat(takeAll(pair.port("b"))).hasSize(acknowledged);

            // and has said all that once
            standby.terminate();
            assertThat(standby.output().lines())
                    .filteredOn(line -> line.contains("RoomShortage"))
                    .hasSize(2)
                    .noneMatch(line -> line.contains("\tat "));
        }
    }

    private static void subscribe(int port) throws IOException {
        try (WireClient reader = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            reader.subscribe(TOPIC, 1);
            assertThat(reader.read().type()).isEqualTo(WireClient.SUBACK);
        }
    }

    /** Returns when all are acknowledged. */
    private void publish(int port) throws IOException {
        try (WireClient writer = new WireClient(port, "writer", WireClient.MQTT_3_1_1)) {
            for (int i = 0; i < BATCH; i++) {
                writer.publish(TOPIC, 1, false, 1, acknowledged, new byte[PAYLOAD_BYTES]);
                writer.flush();
                assertThat(writer.read().type()).isEqualTo(WireClient.PUBACK);
                acknowledged++;
            }
        }
    }

    private Set<Integer> takeAll(int port) throws IOException {
        Set<Integer> taken = new TreeSet<>();
        try (WireClient reader = new WireClient(port, "reader", WireClient.MQTT_3_1_1)) {
            assertThat(reader.sessionPresent()).isTrue();
            while (taken.size() < acknowledged) {
                Received packet = reader.read();
                taken.add(packet.number());
                reader.acknowledge(WireClient.PUBACK, packet.packetId());
                reader.flush();
            }
        }
        return taken;
    }

    private static void eventually(ThrowingRunnable condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).untilAsserted(condition);
    }
}
