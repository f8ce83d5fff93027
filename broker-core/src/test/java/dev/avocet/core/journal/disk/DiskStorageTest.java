package dev.avocet.core.journal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskStorageTest extends StorageContractTest {
    private static final long LARGE_BYTES = (40L << 20) + 1;

    private final Storage storage = new DiskStorage();

    @Override
    Storage storage() {
        return storage;
    }

    @Test
    void shouldTakeTheNameOfALargeFileAwayThatIsFreedInSteps(@TempDir Path directory) throws IOException {
        // given
        Path file = directory.resolve("large");
        try (StorageFile created = storage.create(file)) {
            created.writeFully(ByteBuffer.allocate(1), LARGE_BYTES - 1);
        }
        assertThat(storage.sizeBytes(file)).isEqualTo(LARGE_BYTES);

        // when
        storage.delete(file);

        // then
        assertThat(storage.list(directory)).isEmpty();
    }
}
