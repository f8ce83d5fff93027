package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the process leaves on the disk, and what it makes of it when it starts again. */
@InTurn
class StoreProcessTest {
    private static final Map<String, String> THIS_JAVA = Distribution.SHORT_LIVED;

    private static final byte[] CONNECT = {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 1, 'p'};
    private static final byte[] CONNACK = {0x20, 2, 0, 0};
    /** QoS 1, retained, topic "t", packet identifier 7, payload "x". */
    private static final byte[] PUBLISH = {0x33, 6, 0, 1, 't', 0, 7, 'x'};

    private static final byte[] PUBACK = {0x40, 2, 0, 7};
    private static final byte[] SUBSCRIBE = {(byte) 0x82, 6, 0, 9, 0, 1, 't', 0};
    private static final byte[] SUBACK = {(byte) 0x90, 3, 0, 9, 0};
    private static final byte[] RETAINED = {0x31, 4, 0, 1, 't', 'x'};

    @TempDir
    private Path directory;

    private Path data = Path.of(".");

    @BeforeEach
    void nameDirectories() {
        data = directory.resolve("of broker");
    }

    /** In an ordinary build one journal ends in order and the other is killed. */
    static List<Arguments> ends() {
        return RandomSuite.oneOf(
                2,
                List.of(
                        arguments("chronicle", "TERM"),
                        arguments("chronicle", "KILL"),
                        arguments("file", "KILL"),
                        arguments("file", "TERM")));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void shouldHaveWhatWasAcknowledgedAfterItHasEnded(String journal, String signal)
            throws IOException, InterruptedException {
        // given
        try (Launched broker = launch(journal)) {
            assertThat(broker.awaitLine("ready")).endsWith("store 'sync'");
            publish(broker);
            broker.signal(signal);
            broker.exitCode();
        }

        // when
        try (Launched broker = launch(journal)) {
            broker.awaitLine("ready");

            // then
            try (Socket client = connect(broker)) {
                client.getOutputStream().write(SUBSCRIBE);
                assertThat(client.getInputStream().readNBytes(SUBACK.length)).isEqualTo(SUBACK);
                assertThat(client.getInputStream().readNBytes(RETAINED.length)).isEqualTo(RETAINED);
            }
        }
    }

    @Test
    void shouldSayWhereItsStoreIsDamagedAndWhatCanBeDone() throws IOException, InterruptedException {
        // given
        try (Launched broker = launch("file")) {
            broker.awaitLine("ready");
            publish(broker);
            publish(broker);
            broker.signal("KILL");
            broker.exitCode();
        }
        Path segment = onlySegment();
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            int inTheFirstRecord = 100;
            file.seek(inTheFirstRecord);
            file.write(new byte[] {-1, -1, -1});
        }

        // then
        try (Launched broker = launch("file")) {
            assertThat(broker.exitCode()).isEqualTo(6);
            assertThat(broker.output())
                    .contains("broker: the store cannot be opened: " + segment + " is damaged at byte ")
                    .contains("broker-admin store verify --data " + data)
                    .doesNotContain("\tat ");
        }
    }

    /** The sample holds three retained messages. */
    @Test
    void shouldUpgradeAStoreOfTheFirstFormat() throws IOException, InterruptedException {
        // given
        unpack("avj1-file");
        try (Launched broker = launch("file")) {
            assertThat(broker.exitCode()).isEqualTo(6);
            assertThat(broker.output()).contains("to upgrade it: broker store upgrade --data " + data);
        }

        // when
        try (Launched upgrade = store("upgrade")) {
            assertThat(upgrade.exitCode()).isZero();
            assertThat(upgrade.output())
                    .containsPattern("retained +3")
                    .contains("kept from before: " + data.resolve("store.before-upgrade"));
        }

        // then
        try (Launched broker = launch("file")) {
            broker.awaitLine("ready");
            publish(broker);
        }
        try (Launched verify = store("verify")) {
            assertThat(verify.exitCode()).isZero();
        }
    }

    private Launched store(String what) throws IOException {
        String config = directory.resolve("broker.json").toString();
        return Distribution.launch(THIS_JAVA, "store", what, "--config", config, "--data", data.toString());
    }

    private void unpack(String store) throws IOException {
        try (InputStream sample = StoreProcessTest.class.getResourceAsStream("/stores/" + store + ".zip");
                ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(sample))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = data.resolve(entry.getName());
                Files.createDirectories(entry.isDirectory() ? file : file.getParent());
                if (!entry.isDirectory()) {
                    Files.copy(zip, file);
                }
            }
        }
    }

    private Launched launch(String journal) throws IOException {
        Path config = Files.writeString(directory.resolve("broker.json"), """
                {"endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}], "admin": {"enabled": false},
                 "store": {"mode": "sync", "journal": "%s", "segmentBytes": 1048576, "checkpointIntervalSeconds": 3600}}
                """.formatted(journal));
        return Distribution.launch(THIS_JAVA, "--config", config.toString(), "--data", data.toString());
    }

    private Path onlySegment() throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("store/file"))) {
            return files.filter(file -> file.getFileName().toString().endsWith("0000000001.seg"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void publish(Launched broker) throws IOException {
        try (Socket client = connect(broker)) {
            client.getOutputStream().write(PUBLISH);
            assertThat(client.getInputStream().readNBytes(PUBACK.length)).isEqualTo(PUBACK);
        }
    }

    private static Socket connect(Launched broker) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), broker.port());
        client.getOutputStream().write(CONNECT);
        assertThat(client.getInputStream().readNBytes(CONNACK.length)).isEqualTo(CONNACK);
        return client;
    }
}
