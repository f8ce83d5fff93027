package dev.avocet.server.broker;

import dev.avocet.core.journal.JournalException;
import dev.avocet.server.broker.store.JournalInspector;
import dev.avocet.server.config.JournalKind;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Samples of stores that earlier versions of the broker have written. */
final class FormerStores {
    private FormerStores() {}

    /** Unpacks a sample into a data directory. */
    static void unpack(String name, Path into) throws IOException {
        try (InputStream sample = FormerStores.class.getResourceAsStream("/stores/" + name + ".zip");
                ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(sample, name))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = into.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
    }

    /** As {@code broker store upgrade} does it. */
    static StoreReport upgrade(Path data, JournalKind kind) throws JournalException {
        return new JournalInspector().upgrade(location(data, kind));
    }

    static StoreLocation location(Path data, JournalKind kind) {
        return new StoreLocation(data.resolve("store"), kind, 4 << 20);
    }
}
