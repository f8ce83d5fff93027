package dev.avocet.admin.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose files. */
final class DataOption {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "the data directory of a broker that does not run (default: the one of this distribution)")
    private @Nullable Path directory;

    @Nullable Path directory() {
        return directory;
    }
}
