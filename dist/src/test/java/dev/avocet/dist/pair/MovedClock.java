package dev.avocet.dist.pair;

import dev.avocet.testkit.InstalledPrograms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;

/**
 * The wall clock of a process, which a test moves while the process runs; times that only grow stay as they are, and so
 * does what waits. A library of a few lines is preloaded for that.
 */
final class MovedClock {
    private final Path library;
    private final Path file;

    /**
     * @param library as {@link #library} makes it
     * @param file tells the process; nothing else is in it
     */
    MovedClock(Path library, Path file) throws IOException {
        this.library = library;
        this.file = file;
        Files.write(file, new byte[Long.BYTES]);
    }

    /** Compiles it; where there is no compiler the test is left out, and says so. */
    static Path library(Path folder) throws IOException, InterruptedException {
        Path made = folder.resolve("moved-clock.so");
        Process compiler = new ProcessBuilder(
                        InstalledPrograms.onPath("cc", "gcc"),
                        "-O2",
                        "-shared",
                        "-fPIC",
                        "-o",
                        made.toString(),
                        InstalledPrograms.source("clock/moved-clock.c"),
                        "-ldl")
                .inheritIO()
                .start();
        if (compiler.waitFor() != 0) {
            throw new IOException("the library that moves clocks cannot be compiled");
        }
        return made;
    }

    /** What a process is to have in its environment. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "MOVED_CLOCK", file.toString());
    }

    /** From now on it shows so much more than it would. */
    void move(Duration by) throws IOException {
        ByteBuffer seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        seconds.putLong(0, by.toSeconds());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            int unused = channel.write(seconds, 0);
        }
    }
}
