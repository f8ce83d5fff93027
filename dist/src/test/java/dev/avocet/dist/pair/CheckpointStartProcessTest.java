package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Launched;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.dist.fault.WireClient.Received;
import dev.avocet.testkit.LivingFiles;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A standby that was away while the active node has dropped what it lacks. */
@InTurn
@Timeout(300)
class CheckpointStartProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String KEPT = "kept";
    private static final String PASSING = "passing";
    private static final int BATCH = 50;
    private static final int PAYLOAD_BYTES = 20_000;
    private static final int CONSUMED = 400;
    private static final Pattern SEGMENT = Pattern.compile("(?:journal-)?(\\d+)\\.(?:cq4|seg)");
    private static final String CONFIGURATION = """
            {"store": {"mode": "sync", "journal": "%s", "segmentBytes": 4194304, "checkpointIntervalSeconds": 1}}""";

    @TempDir
    private Path folder;

    private int acknowledged;
    private int passed;

    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "file"})
    void shouldComeBackByItselfWithEverything(String journal) throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, null)) {
            // given a pair that keeps next to nothing for a standby that is away
            Path configuration = Files.writeString(folder.resolve("broker.json"), CONFIGURATION.formatted(journal));
            String[] options = {"--config", configuration.toString(), "--ha-max-retained-bytes", "1000000"};
            pair.startArbiter().awaitLine("ready");
            Launched active = pair.start("a", options);
            pair.start("b", options).awaitLine("ready");
            active.awaitLine("ready");
            pair.makeActive("a");
            subscribe(pair.port("a"), "reader", KEPT);
            subscribe(pair.port("a"), "consumer", PASSING);
            publish(pair.port("a"));
            pair.of("b").terminate();
            publish(pair.port("a"));

            // when far more than that is published and consumed meanwhile
            eventually(() -> {
                consume(pair.port("a"));
                assertThat(lacksSegments(pair.store("a"))).isTrue();
            });
            Launched standby = pair.start("b", options);
            publish(pair.port("a"));

            // then it has everything by itself
            standby.awaitLineWith("it sends its checkpoint at position");
            pair.awaitInSync("b");
            eventually(() -> assertThat(active.httpGet("/health")).contains("\"inSync\":[\"a\",\"b\"]"));
            assertThat(beside(pair.store("b"))).isEmpty();
            publish(pair.port("a"));

            // and loses nothing when the other one is killed
            pair.kill("a");
            standby.awaitLineWith("role active epoch");
            assertThat(takeAll(pair.port("b"))).hasSize(acknowledged);
        }
    }

    /** More segments are gone than the standby has had. */
    private static boolean lacksSegments(Path store) throws IOException {
        int[] numbers = LivingFiles.below(store).stream()
                .map(file -> SEGMENT.matcher(file.getFileName().toString()))
                .filter(Matcher::matches)
                .mapToInt(name -> Integer.parseInt(name.group(1)))
                .sorted()
                .toArray();
        return numbers.length > 1 && numbers[numbers.length - 1] - numbers[0] > 2 * numbers.length;
    }

    private static List<String> beside(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.getParent())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("store."))
                    .toList();
        }
    }

    private static void subscribe(int port, String client, String topic) throws IOException {
        try (WireClient reader = new WireClient(port, client, WireClient.MQTT_3_1_1)) {
            reader.subscribe(topic, 1);
            assertThat(reader.read().type()).isEqualTo(WireClient.SUBACK);
        }
    }

    /** Returns when all are acknowledged. */
    private void publish(int port) throws IOException {
        try (WireClient writer = new WireClient(port, "writer", WireClient.MQTT_3_1_1)) {
            for (int i = 0; i < BATCH; i++) {
                writer.publish(KEPT, 1, false, 1, acknowledged, new byte[PAYLOAD_BYTES]);
                writer.flush();
                assertThat(writer.read().type()).isEqualTo(WireClient.PUBACK);
                acknowledged++;
            }
        }
    }

    /** Messages that are over as soon as they are there. */
    private void consume(int port) throws IOException {
        try (WireClient writer = new WireClient(port, "passing", WireClient.MQTT_3_1_1);
                WireClient reader = new WireClient(port, "consumer", WireClient.MQTT_3_1_1)) {
            for (int i = 0; i < CONSUMED; i++) {
                writer.publish(PASSING, 1, false, 1, passed++, new byte[PAYLOAD_BYTES]);
                writer.flush();
                assertThat(writer.read().type()).isEqualTo(WireClient.PUBACK);
                Received packet = reader.read();
                reader.acknowledge(WireClient.PUBACK, packet.packetId());
                reader.flush();
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
