package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.transfer.ClientSetTransfers;
import dev.avocet.server.transfer.ClientSetTransfers.Wanted;
import dev.avocet.server.transfer.TransferStatus;
import dev.avocet.server.transfer.TransferStatus.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/** Two brokers with stores of small segments, and a file that takes sessions from one to the other. */
final class TransferPair implements AutoCloseable {
    static final String PASSWORD = "a password";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path directory;
    private RunningBroker source;
    private RunningBroker target;
    private Path file;

    TransferPair(Path directory) throws Exception {
        this.directory = directory;
        file = directory.resolve("set");
        source = start("source");
        target = start("target");
    }

    private RunningBroker start(String name) throws Exception {
        Path data = Files.createDirectories(directory.resolve(name));
        return OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2,
                         "endpoints": [{"port": 0, "maxMessageSizeBytes": 65536}],
                         "store": {"mode": "os", "journal": "file", "segmentBytes": 1048576,
                                   "checkpointIntervalSeconds": 1}}
                        """), data, failure -> {});
    }

    RunningBroker source() {
        return source;
    }

    RunningBroker target() {
        return target;
    }

    /** Where exports go and imports come from. */
    Path file() {
        return file;
    }

    void file(Path other) {
        file = other;
    }

    Path storeOfTarget() {
        return directory.resolve("target").resolve("store");
    }

    void restartSource() throws Exception {
        source.close();
        source = start("source");
    }

    void restartTarget() throws Exception {
        target.close();
        target = start("target");
    }

    @Override
    public void close() {
        source.close();
        target.close();
    }

    /** Exports from one broker and imports into the other. */
    TransferStatus move(String clientId, String retain) {
        TransferStatus exported = export(clientId, retain, true);
        assertThat(exported.state()).as(exported.message()).isEqualTo(State.COMPLETED);
        TransferStatus imported = imported(PASSWORD);
        assertThat(imported.state())
                .as(imported.message() + imported.diagnostics())
                .isEqualTo(State.COMPLETED);
        return imported;
    }

    TransferStatus export(String clientId, String retain, boolean disconnects) {
        ClientSetTransfers transfers = Objects.requireNonNull(source.transfers());
        Wanted wanted = new Wanted(
                clientId,
                name -> !clientId.isEmpty()
                        && Pattern.compile(clientId).matcher(name).find(),
                retain,
                topic -> !retain.isEmpty()
                        && Pattern.compile(retain).matcher(topic).find(),
                disconnects);
        return ended(transfers, transfers.beginExport(file, PASSWORD, wanted));
    }

    TransferStatus imported(String password) {
        ClientSetTransfers transfers = Objects.requireNonNull(target.transfers());
        return ended(transfers, transfers.beginImport(file, password));
    }

    private static TransferStatus ended(ClientSetTransfers transfers, TransferStatus begun) {
        return await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(
                        () -> Objects.requireNonNull(transfers.find(begun.kind(), begun.id())),
                        status -> status.state() != State.IN_PROGRESS);
    }
}
