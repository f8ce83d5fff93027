package dev.avocet.server.transfer;

import dev.avocet.core.store.transfer.SessionImport;
import dev.avocet.core.store.transfer.TransferException;
import dev.avocet.core.store.transfer.TransferReader;
import dev.avocet.server.export.ClientSetInput;
import dev.avocet.server.export.ExportException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes the sessions and retained messages of a file in. The file is read twice: the first time every byte of it is
 * checked, and that none of its clients has a session here; nothing is changed before all of that is as it should be.
 *
 * @param readers makes one for each time
 */
record ClientSetImport(
        Path file,
        String password,
        int maxRecordBytes,
        Supplier<TransferReader> readers,
        Supplier<SessionImport> imports) {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final int NAMED = 100;

    Outcome run() throws TransferException, ExportException, IOException {
        SessionImport taken = imports.get();
        check(taken);
        List<String> problems = new ArrayList<>();
        try {
            read((reader, in) -> taken.take(reader, in.kind(), in.record(), problem -> {
                if (problems.size() < NAMED) {
                    problems.add(problem);
                }
            }));
        } catch (TransferException | ExportException e) {
            problems.add(String.valueOf(e.getMessage()));
        } finally {
            taken.close();
        }
        return new Outcome("Imported " + taken.counts() + ".", taken.counts(), problems, List.of());
    }

    private void check(SessionImport taken) throws TransferException, ExportException, IOException {
        List<String> present = new ArrayList<>();
        read((reader, in) -> reader.check(in.kind(), in.record(), clientId -> {
            if (present.size() < NAMED && taken.isThere(clientId)) {
                present.add(clientId);
            }
        }));
        if (!present.isEmpty()) {
            throw new TransferException("nothing was imported, as these clients have sessions here: "
                    + String.join(", ", present) + (present.size() == NAMED ? " and maybe others" : "")
                    + "; delete those first");
        }
    }

    private void read(EachRecord each) throws TransferException, ExportException, IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
                ClientSetInput records = new ClientSetInput(in, password, maxRecordBytes)) {
            TransferReader reader = readers.get();
            while (records.next()) {
                each.take(reader, records);
            }
            reader.expectEnd();
        }
    }

    /** Sees each record. */
    @FunctionalInterface
    private interface EachRecord {
        void take(TransferReader reader, ClientSetInput in) throws TransferException;
    }
}
