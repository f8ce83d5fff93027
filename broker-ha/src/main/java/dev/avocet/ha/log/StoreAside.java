package dev.avocet.ha.log;

import dev.avocet.core.store.image.StoreFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;

/** Puts a store aside that is closed: its directory gets another name beside. Blocks on the disk. */
public final class StoreAside {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private StoreAside() {}

    /**
     * Puts it aside; durable when this returns.
     *
     * @return where it is now
     * @throws IOException when it is where it was, as it is a mount point, for example
     */
    public static Path put(StoreFiles files, long wallTimeMs) throws IOException {
        Path store = files.directory();
        Path parent = Objects.requireNonNull(store.toAbsolutePath().getParent());
        Path aside = parent.resolve(store.getFileName() + ".aside-" + TIME.format(Instant.ofEpochMilli(wallTimeMs)));
        files.storage().rename(store, aside);
        files.storage().forceDirectory(parent);
        return aside;
    }
}
