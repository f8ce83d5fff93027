package dev.avocet.dist.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.Launched;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A store with a bad place in the middle, and the way back that the broker advises. */
@InTurn
class DamagedStoreProcessTest {
    private static final int MESSAGES = 200;
    private static final int DAMAGED = 100;
    private static final int RECORD_MAX_BYTES = 400;
    private static final String STORE = """
            {"mode": "sync", "journal": "%s", "segmentBytes": 1048576, "checkpointIntervalSeconds": 3600}""";

    @TempDir
    private Path directory;

    private Path data;

    @BeforeEach
    void nameDirectories() {
        data = directory.resolve("data");
    }

    /** In an ordinary build one of the two. */
    static List<String> journals() {
        return RandomSuite.oneOf(2, List.of("file", "chronicle"));
    }

    @ParameterizedTest
    @MethodSource("journals")
    void shouldGoOnWithoutWhatIsDamaged(String journal) throws IOException, InterruptedException {
        // given
        TestedBroker tested = new TestedBroker(directory, data, STORE.formatted(journal));
        writeAndKill(tested);
        Path segment = segmentWith(payload(DAMAGED));
        long place = damage(segment);

        // then it does not start
        long found;
        try (Launched broker = tested.begin()) {
            assertThat(broker.exitCode()).isEqualTo(6);
            String output = broker.output();
            found = placeIn(output, "broker: the store cannot be opened: " + segment + " is damaged at byte (\\d+): ");
            assertThat(place).isBetween(found, found + RECORD_MAX_BYTES);
            assertThat(output)
                    .contains("\n  to see what is there: broker-admin store stat --offline --data " + data + "\n")
                    .contains("\n  to check all of it: broker-admin store verify --data " + data + "\n")
                    .endsWith("\n  to go on without what is damaged: broker-admin store repair --data " + data)
                    .doesNotContain("\tat ");
        }
        String damage = segment + ", byte " + found + ": ";

        // then what it advises helps
        assertThat(admin(tested, 6, "stat", "--offline")).contains("damaged: " + damage);
        assertThat(admin(tested, 6, "verify")).contains("damaged: " + damage);
        assertThat(admin(tested, 0, "repair"))
                .contains("taken away: " + damage)
                .contains("\nmay be lost: what was written in 1 record behind the last checkpoint");
        admin(tested, 0, "verify");

        // then everything else is there
        try (Launched broker = tested.launch();
                WireClient consumer = new WireClient(tested.port(), "consumer", WireClient.MQTT_3_1_1)) {
            assertThat(consumer.sessionPresent()).isTrue();
            assertThat(received(consumer))
                    .containsExactlyElementsOf(IntStream.range(0, MESSAGES)
                            .filter(number -> number != DAMAGED)
                            .boxed()
                            .toList());
            broker.terminate();
            assertThat(broker.exitCode()).isZero();
        }
    }

    /** A record for each message, as each waits for the one before. */
    private static void writeAndKill(TestedBroker tested) throws IOException, InterruptedException {
        try (Launched broker = tested.launch();
                WireClient publisher = new WireClient(tested.port(), "publisher", WireClient.MQTT_3_1_1)) {
            try (WireClient consumer = new WireClient(tested.port(), "consumer", WireClient.MQTT_3_1_1)) {
                consumer.subscribe("damage", 1);
                consumer.read();
            }
            for (int number = 0; number < MESSAGES; number++) {
                publisher.publish("damage", 1, false, 1, number, payload(number));
                publisher.flush();
                assertThat(publisher.read().type()).isEqualTo(WireClient.PUBACK);
            }
            broker.signal("KILL");
            broker.exitCode();
        }
    }

    private static List<Integer> received(WireClient consumer) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        while (numbers.isEmpty() || numbers.get(numbers.size() - 1) < MESSAGES - 1) {
            WireClient.Received packet = consumer.read();
            numbers.add(packet.number());
            consumer.acknowledge(WireClient.PUBACK, packet.packetId());
            consumer.flush();
        }
        return numbers;
    }

    private static byte[] payload(int number) {
        return ("payload of message " + number + '.').getBytes(StandardCharsets.US_ASCII);
    }

    private Path segmentWith(byte[] payload) throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("store"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (offsetOf(payload, file) >= 0) {
                    return file;
                }
            }
        }
        throw new AssertionError("nowhere in the store");
    }

    private static int offsetOf(byte[] payload, Path file) throws IOException {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        return bytes.indexOf(new String(payload, StandardCharsets.ISO_8859_1));
    }

    /** Returns the first byte that is different now. */
    private static long damage(Path segment) throws IOException {
        long place = offsetOf(payload(DAMAGED), segment);
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.seek(place);
            file.write(new byte[] {-1, -1, -1});
        }
        return place;
    }

    private static String admin(TestedBroker tested, int exitCode, String command, String... options)
            throws IOException, InterruptedException {
        try (Launched admin = tested.admin(command, options)) {
            assertThat(admin.exitCode()).isEqualTo(exitCode);
            return admin.output();
        }
    }

    private static long placeIn(String output, String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(output);
        assertThat(matcher.find()).as(output).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}
