package dev.avocet.ha.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.store.image.StoreFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exchange of a store for the one that has come, ended at each of its steps. */
final class ReceivedStoreTest {
    private static final int MORE_STEPS_THAN_IT_HAS = 60;

    @TempDir
    private Path folder;

    /** Changes until the process ends. */
    private final AtomicInteger left = new AtomicInteger();

    @Test
    void shouldLeaveTheOneStoreOrTheOtherWhereverItEnds() throws IOException {
        int exchanged = 0;
        int kept = 0;
        for (int steps = 0; steps < MORE_STEPS_THAN_IT_HAS; steps++) {
            // given
            Path store = folder.resolve(steps + "/store");
            write(store, "before");
            write(ReceivedStore.unfinished(store), "come");

            // when its process ends after so many steps, and that of the next start as well
            boolean done = !endsEarly(() -> ReceivedStore.putInPlace(files(store, dying())), steps);
            endsEarly(() -> ReceivedStore.finish(files(store, dying())), steps / 2);

            // then the start after that finds one of the two, as it was, and nothing else
            ReceivedStore.finish(files(store, new DiskStorage()));
            String content = Files.readString(store.resolve("journal/records"));
            assertThat(content)
                    .isEqualTo(Files.readString(store.resolve("pair")))
                    .isIn("before", "come");
            assertThat(content.equals("come") || !done).isTrue();
            try (Stream<Path> beside = Files.list(store.getParent())) {
                assertThat(beside).containsExactly(store);
            }
            exchanged += content.equals("come") ? 1 : 0;
            kept += content.equals("before") ? 1 : 0;
        }
        assertThat(exchanged).isPositive();
        assertThat(kept).isPositive();
    }

    private boolean endsEarly(Exchange exchange, int afterSteps) {
        left.set(afterSteps);
        try {
            exchange.run();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** A process that ends before one of its changes. */
    private Storage dying() {
        DiskStorage disk = new DiskStorage();
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    boolean isChange =
                            List.of("rename", "delete", "forceDirectory").contains(method.getName());
                    if (isChange && left.getAndDecrement() <= 0) {
                        throw new IOException("the process has ended");
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static StoreFiles files(Path store, Storage storage) {
        return new StoreFiles(
                directory -> {
                    throw new AssertionError("no journal");
                },
                storage,
                store,
                List.of(),
                () -> {
                    throw new AssertionError("no front end");
                });
    }

    private static void write(Path directory, String content) throws IOException {
        Files.createDirectories(directory.resolve("journal"));
        Files.writeString(directory.resolve("journal/records"), content);
        Files.writeString(directory.resolve("pair"), content);
    }

    private interface Exchange {
        void run() throws IOException;
    }
}
