package dev.avocet.bench.option;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where a result is to be written. Stateless. */
public final class ResultPath {
    private ResultPath() {}

    /**
     * Looks whether a file can be written, before it costs a run.
     *
     * @param file nothing is looked at if there is none
     * @throws IllegalArgumentException with words for the user
     */
    public static void check(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        String what = option + ": " + file + " cannot be written: ";
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null) {
            throw new IllegalArgumentException(what + "it is a folder");
        }
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(what + "there is no folder " + folder);
        }
        if (Files.exists(file) ? !Files.isWritable(file) : !Files.isWritable(folder)) {
            throw new IllegalArgumentException(what + "this user may not");
        }
    }
}
