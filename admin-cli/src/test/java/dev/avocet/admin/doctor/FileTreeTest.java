package dev.avocet.admin.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileTreeTest {
    private static final int WALKS = 500;
    private static final int FLEETING_FILES = 200;

    @TempDir
    private Path directory;

    @Test
    void shouldFindTheFilesDownToItsDepthInOrder() throws IOException {
        // given
        Path deep = Files.createDirectories(directory.resolve("one/two"));
        Path second = Files.createFile(directory.resolve("one/second"));
        Path first = Files.createFile(directory.resolve("first"));
        Files.createFile(deep.resolve("third"));

        // when, then
        assertThat(FileTree.below(directory, 2).keySet()).containsExactly(first, second);
    }

    @Test
    void shouldLeaveOutFilesThatVanishMeanwhile() throws IOException {
        // given
        Path staying = Files.createFile(directory.resolve("staying"));
        AtomicBoolean ends = new AtomicBoolean();
        CompletableFuture<Void> churn = CompletableFuture.runAsync(() -> createAndDelete(ends));

        // when, then
        try {
            for (int walk = 0; walk < WALKS; walk++) {
                assertThat(FileTree.below(directory, 2)).containsKey(staying);
            }
        } finally {
            ends.set(true);
            churn.join();
        }
    }

    private void createAndDelete(AtomicBoolean ends) {
        try {
            while (!ends.get()) {
                for (int file = 0; file < FLEETING_FILES; file++) {
                    Files.createFile(directory.resolve("fleeting-" + file));
                }
                for (int file = 0; file < FLEETING_FILES; file++) {
                    Files.delete(directory.resolve("fleeting-" + file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
