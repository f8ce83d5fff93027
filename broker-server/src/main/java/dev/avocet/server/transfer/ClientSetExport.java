package dev.avocet.server.transfer;

import dev.avocet.core.store.transfer.SessionExport;
import dev.avocet.core.store.transfer.TransferCounts;
import dev.avocet.core.store.transfer.TransferException;
import dev.avocet.server.export.ClientSetOutput;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Writes sessions and retained messages into a file, which appears under its name once it is whole and durable.
 *
 * @param sessionIds which sessions, asked when the export begins
 * @param topics of which retained messages
 * @param disconnects whether clients that are connected are disconnected first
 */
record ClientSetExport(
        Path file,
        String password,
        Supplier<List<String>> sessionIds,
        Predicate<String> topics,
        boolean disconnects,
        Supplier<SessionExport> exports,
        SecureRandom random) {
    private static final int BUFFER_BYTES = 256 * 1024;

    Outcome run() throws TransferException, IOException {
        Path folder = Objects.requireNonNull(file.getParent());
        Files.createDirectories(folder);
        SessionExport export = exports.get();
        Path beside = Files.createTempFile(folder, ".client-set", null);
        try {
            TransferCounts counts = write(export, beside);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
            return outcome(counts, export.damaged(), export.staying());
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private TransferCounts write(SessionExport export, Path beside) throws TransferException, IOException {
        try (FileOutputStream disk = new FileOutputStream(beside.toFile());
                OutputStream out = new BufferedOutputStream(disk, BUFFER_BYTES);
                ClientSetOutput records = new ClientSetOutput(out, password, random)) {
            TransferCounts counts = export.run(sessionIds.get(), topics, disconnects, records);
            records.finish();
            out.flush();
            disk.getFD().sync();
            return counts;
        }
    }

    private static Outcome outcome(TransferCounts counts, long damaged, long staying) {
        List<String> problems = damaged == 0
                ? List.of()
                : List.of(damaged + " messages are damaged on this broker's disk and are not in the file");
        List<String> notes = staying == 0
                ? List.of()
                : List.of(staying + " messages that are not persistent are in flight to MQTT clients and are not in the"
                        + " file: no other broker knows whether the clients have them");
        return new Outcome("Exported " + counts + ".", counts, problems, notes);
    }
}
