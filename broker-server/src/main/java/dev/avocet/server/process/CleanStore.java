package dev.avocet.server.process;

import dev.avocet.server.config.JournalKind;
import dev.avocet.server.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An administrator's wish that the next start begins with an empty store. It is a file, so that it outlives the
 * process; it goes when it has been fulfilled, so a crash on the way there has the next start do the rest. Used while
 * the data directory is locked.
 */
public final class CleanStore {
    private static final Logger LOG = LoggerFactory.getLogger(CleanStore.class);
    private static final String WISH = "clean-store";
    private static final String CHECKPOINT = "checkpoint-";

    private final Path wish;

    /** @param dataDirectory where the wish is kept */
    public CleanStore(Path dataDirectory) {
        this.wish = dataDirectory.resolve(WISH);
    }

    void wishFor() throws IOException {
        Files.writeString(wish, "the next start deletes the store\n");
    }

    /** Deletes what the store has written, and nothing else that may lie beside it, if that is wished for. */
    public void fulfil(StoreLocation store) throws StartException {
        if (!Files.exists(wish)) {
            return;
        }
        try {
            for (JournalKind kind : JournalKind.values()) {
                FileTree.delete(store.directory().resolve(kind.toString()));
            }
            for (Path checkpoint : checkpoints(store.directory())) {
                Files.delete(checkpoint);
            }
            Files.delete(wish);
            LOG.warn("The store in {} was deleted, as an administrator had asked for", store.directory());
        } catch (IOException e) {
            throw new StartException(
                    ExitCode.STORE_UNUSABLE,
                    "the store in " + store.directory() + " should be deleted, as an administrator has asked for, and"
                            + " cannot be: " + e.getMessage());
        }
    }

    private static List<Path> checkpoints(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(CHECKPOINT))
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
