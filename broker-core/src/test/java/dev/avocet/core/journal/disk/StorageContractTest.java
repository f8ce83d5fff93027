package dev.avocet.core.journal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.testkit.FaultyStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a disk does, the simulated one too. */
abstract class StorageContractTest {
    @TempDir
    Path directory;

    abstract Storage storage();

    @Test
    void shouldKeepWhatIsWritten() throws IOException {
        // given
        Path path = directory.resolve("a");
        try (StorageFile file = storage().create(path)) {
            file.writeFully(text("0123456789"), 0);
            file.writeFully(text("abc"), 8);
            file.force(false);
        }

        // when
        try (StorageFile file = storage().open(path)) {
            ByteBuffer target = ByteBuffer.allocate(20);
            int count = file.readFully(target, 5);

            // then
            assertThat(count).isEqualTo(6);
            assertThat(target.flip()).isEqualTo(text("567abc"));
            assertThat(file.sizeBytes()).isEqualTo(11);
            assertThat(file.read(ByteBuffer.allocate(1), 11)).isEqualTo(-1);
        }
        assertThat(storage().sizeBytes(path)).isEqualTo(11);
    }

    @Test
    void shouldAllocateZeros() throws IOException {
        // given
        try (StorageFile file = storage().create(directory.resolve("a"))) {
            // when
            file.allocate(3_000_001);

            // then
            assertThat(file.sizeBytes()).isEqualTo(3_000_001);
            ByteBuffer target = ByteBuffer.allocate(3_000_001);
            file.readFully(target, 0);
            assertThat(target.array()).containsOnly(0);
        }
    }

    @Test
    void shouldTruncate() throws IOException {
        // given
        try (StorageFile file = storage().create(directory.resolve("a"))) {
            file.writeFully(text("0123456789"), 0);

            // when
            file.truncate(4);

            // then
            assertThat(file.sizeBytes()).isEqualTo(4);
            file.writeFully(text("x"), 6);
            ByteBuffer target = ByteBuffer.allocate(20);
            file.readFully(target, 0);
            assertThat(target.flip()).isEqualTo(text("0123\0\0x"));
        }
    }

    @Test
    void shouldRenameReplaceAndDelete() throws IOException {
        // given
        Path a = write("a");
        Path b = write("b");
        Path c = write("c");

        // when
        storage().rename(a, b);
        storage().delete(c);
        storage().delete(c);
        storage().forceDirectory(directory);

        // then
        assertThat(storage().list(directory)).containsExactly(b);
        assertThatThrownBy(() -> storage().open(a)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> storage().sizeBytes(c)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> storage().create(b)).isInstanceOf(FileAlreadyExistsException.class);
        try (StorageFile file = storage().openForReading(b)) {
            ByteBuffer target = ByteBuffer.allocate(1);
            file.readFully(target, 0);
            assertThat(target.flip()).isEqualTo(text("a"));
        }
    }

    @Test
    void shouldGoOnWritingToAFileThatWasRenamed() throws IOException {
        // given
        Path a = directory.resolve("a");
        Path b = directory.resolve("b");
        try (StorageFile file = storage().create(a)) {
            // when
            storage().rename(a, b);
            file.writeFully(text("later"), 0);
        }

        // then
        assertThat(storage().sizeBytes(b)).isEqualTo(5);
    }

    @Test
    void shouldRefuseToAllocateWhatTheDiskDoesNotHave() throws IOException {
        // given
        if (storage() instanceof FaultyStorage faulty) {
            faulty.capacity(1000);
        }
        try (StorageFile file = storage().create(directory.resolve("a"))) {
            long tooMuch = storage().usableSpaceBytes(directory) + (1L << 40);

            // when, then
            assertThatThrownBy(() -> file.allocate(tooMuch)).isInstanceOf(DiskFullException.class);
            assertThat(file.sizeBytes()).isZero();
        }
    }

    @Test
    void shouldSayThatThereIsNoRoomForWhatIsWritten() throws IOException {
        // given
        Path full = Path.of("/dev/full");
        if (storage() instanceof FaultyStorage faulty) {
            full = write("a");
            faulty.capacity(1);
        }
        assumeThat(storage() instanceof FaultyStorage || Files.exists(full))
                .as("this system has a device that is always full")
                .isTrue();

        // when, then
        try (StorageFile file = storage().open(full)) {
            assertThatThrownBy(() -> file.write(text("more"), 1)).isInstanceOf(DiskFullException.class);
        }
    }

    private Path write(String name) throws IOException {
        Path path = directory.resolve(name);
        try (StorageFile file = storage().create(path)) {
            file.writeFully(text(name), 0);
        }
        return path;
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
