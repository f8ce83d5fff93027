package dev.avocet.ha.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The exchange of a store for the one that has come, while the power is lost at each of its steps. */
final class ReceivedStorePowerLossTest {
    private static final int MORE_STEPS_THAN_IT_HAS = 20;
    private static final int SEEDS = 10;
    private static final Path STORE = Path.of("/node/store");

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            mode = Mode.INCLUDE,
            names = {"RENAME", "DELETE", "FORCE_DIRECTORY", "LIST"})
    void shouldLeaveTheOneStoreOrTheOther(Operation lost) throws IOException {
        int exchanged = 0;
        int kept = 0;
        for (int step = 1; step <= MORE_STEPS_THAN_IT_HAS; step++) {
            for (int seed = 0; seed < SEEDS; seed++) {
                // given two stores that are durable, side by side
                FaultyStorage storage = new FaultyStorage();
                write(storage, STORE, "before");
                write(storage, ReceivedStore.unfinished(STORE), "come");
                StoreFiles files = files(storage);

                // when the power is lost at that step, and at one of the next start as well
                boolean done = isDone(() -> ReceivedStore.putInPlace(files), storage, lost, step);
                storage.losePower(kept(seed));
                boolean unused = isDone(() -> ReceivedStore.finish(files), storage, lost, 1 + step / 2);
                storage.losePower(kept(seed + 1));

                // then the start after that finds one of the two, as it was, and nothing else
                ReceivedStore.finish(files);
                for (String suffix : List.of(".receiving", ".received", ".replaced")) {
                    assertThat(storage.list(Path.of(STORE + suffix))).isEmpty();
                }
                storage.losePower(null);
                String content = read(storage, STORE.resolve("records"));
                assertThat(content)
                        .as("lost at %s %d, seed %d", lost, step, seed)
                        .isEqualTo(read(storage, STORE.resolve("pair")))
                        .isIn("before", "come");
                assertThat(content.equals("come") || !done).isTrue();
                exchanged += content.equals("come") ? 1 : 0;
                kept += content.equals("before") ? 1 : 0;
            }
        }
        assertThat(exchanged).isPositive();
        // before it is decided nothing is listed or deleted
        assertThat(kept > 0).isEqualTo(lost == Operation.RENAME || lost == Operation.FORCE_DIRECTORY);
    }

    /** Everything that was not forced is lost, or all but a part. */
    private static @Nullable SplittableRandom kept(int seed) {
        return seed % 2 == 0 ? null : new SplittableRandom(seed);
    }

    private static boolean isDone(Exchange exchange, FaultyStorage storage, Operation lost, int step) {
        storage.failAt(lost, step, Fault.CRASH);
        try {
            exchange.run();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static StoreFiles files(Storage storage) {
        return new StoreFiles(
                directory -> {
                    throw new AssertionError("no journal");
                },
                storage,
                STORE,
                List.of(),
                () -> {
                    throw new AssertionError("no front end");
                });
    }

    private static void write(Storage storage, Path store, String content) throws IOException {
        for (Path file : List.of(store.resolve("records"), store.resolve("pair"))) {
            try (StorageFile made = storage.create(file)) {
                made.writeFully(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)), 0);
                made.force(true);
            }
            storage.forceDirectory(file.getParent());
        }
    }

    private static String read(Storage storage, Path path) throws IOException {
        try (StorageFile file = storage.openForReading(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
            file.readFully(bytes, 0);
            return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        }
    }

    private interface Exchange {
        void run() throws IOException;
    }
}
