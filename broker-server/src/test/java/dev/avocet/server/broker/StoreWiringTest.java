package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.server.broker.endpoint.CannotListenException;
import dev.avocet.server.broker.endpoint.CannotSecureException;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.store.StoreFigures;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole broker over a disk that can fail. */
class StoreWiringTest {
    private static final byte[] CONNECT = {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 1, 'p'};
    private static final byte[] CONNACK = {0x20, 2, 0, 0};
    /** QoS 1, retained, topic "t", packet identifier 7. */
    private static final byte[] PUBLISH = {0x33, 6, 0, 1, 't', 0, 7, 'x'};

    private static final byte[] PUBACK = {0x40, 2, 0, 7};

    @TempDir
    private Path data;

    private final FaultyStorage disk = new FaultyStorage();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @BeforeEach
    void makeDirectoryWhoseFreeSpaceIsAsked() throws IOException {
        Files.createDirectories(data.resolve("store"));
    }

    @Test
    void shouldFindAgainWhatWasAcknowledgedBeforeAStop() throws Exception {
        // given
        try (RunningBroker broker = start(disk, "file", 0)) {
            publish(broker);
        }

        // when
        try (RunningBroker broker = start(disk, "file", 0)) {
            // then
            assertThat(figures(broker).contents().liveReferences()).isEqualTo(1);
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldFindAgainWhatWasAcknowledgedBeforeThePowerWasLost() throws Exception {
        // given
        try (RunningBroker broker = start(disk, "file", 0)) {
            publish(broker);
            disk.losePower(null);
        }

        // when
        try (RunningBroker broker = start(disk, "file", 0)) {
            // then
            assertThat(figures(broker).contents().liveReferences()).isEqualTo(1);
        }
    }

    @Test
    void shouldAcknowledgeNothingOnceTheDiskFails() throws Exception {
        RunningBroker broker = start(disk, "file", 0);
        try (Socket client = connect(broker)) {
            // given
            disk.failAt(Operation.FORCE, 1, Fault.ERROR);

            // when
            client.getOutputStream().write(PUBLISH);

            // then
            await().until(() -> !failures.isEmpty());
            assertThat(failures).hasSize(1);
            assertThat(figures(broker).failed()).isTrue();

            // when
            broker.close();

            // then
            assertThat(client.getInputStream().readAllBytes()).isEmpty();
        }
    }

    @Test
    void shouldSayThatTheDiskIsFull() throws Exception {
        try (RunningBroker broker = start(disk, "file", Long.MAX_VALUE / 2)) {
            await().until(() -> !figures(broker).acceptsMessages());
            assertThat(figures(broker).failed()).isFalse();
        }
    }

    @Test
    void shouldSayWhereTheStoreIsDamagedAndWhatCanBeDone() throws Exception {
        // given: a record that later ones know to have been durable
        Path segment = data.resolve("store/file/journal-0000000001.seg");
        try (RunningBroker broker = start(disk, "file", 0)) {
            publish(broker);
            publish(broker);
            publish(broker);
            disk.losePower(null);
        }
        int inTheFirstRecord = 100;
        disk.overwrite(segment, inTheFirstRecord, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF);

        // then
        assertThatThrownBy(() -> start(disk, "file", 0))
                .isInstanceOf(CannotOpenStoreException.class)
                .hasMessageContaining(segment + " is damaged at byte ")
                .hasMessageContaining("broker-admin store repair --data " + data)
                .hasNoCause();
    }

    @Test
    void shouldNotOpenAStoreOfAnotherKind() throws Exception {
        // given
        start(new DiskStorage(), "file", 0).close();

        // then
        assertThatThrownBy(() -> start(new DiskStorage(), "chronicle", 0))
                .isInstanceOf(CannotOpenStoreException.class)
                .hasMessageContaining("was made with a journal of the kind 'file'")
                .hasMessageNotContaining("repair");
    }

    private RunningBroker start(Storage storage, String journal, long diskFreeMinBytes)
            throws ConfigurationException, CannotListenException, CannotOpenStoreException, CannotSecureException {
        return OneBroker.start(
                ConfigurationFile.parse("""
                        {"ioThreads": 1,
                         "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "sync", "journal": "%s", "segmentBytes": 1048576, "diskFreeMinBytes": %d}}
                        """.formatted(journal, diskFreeMinBytes)), data, storage, failures::add);
    }

    private static StoreFigures figures(RunningBroker broker) {
        return Objects.requireNonNull(broker.store()).figures();
    }

    private static void publish(RunningBroker broker) throws IOException {
        try (Socket client = connect(broker)) {
            client.getOutputStream().write(PUBLISH);
            assertThat(client.getInputStream().readNBytes(PUBACK.length)).isEqualTo(PUBACK);
        }
    }

    private static Socket connect(RunningBroker broker) throws IOException {
        Socket client = new Socket(
                InetAddress.getLoopbackAddress(), broker.endpoints().get(0).getPort());
        client.getOutputStream().write(CONNECT);
        assertThat(client.getInputStream().readNBytes(CONNACK.length)).isEqualTo(CONNACK);
        return client;
    }
}
