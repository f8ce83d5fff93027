package dev.avocet.server.objects;

import static dev.avocet.server.objects.ConfigurationStoreTest.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import dev.avocet.testkit.turn.InTurn;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A disk that fails or a machine that stops at any step of a change leaves the old configuration or the new one, whole.
 */
@InTurn
class ConfigurationCrashTest {
    private static final Path DIRECTORY = Path.of("/data/config");
    private static final int MOST_STEPS_OF_A_KIND = 3;

    private final FaultyStorage storage = new FaultyStorage();

    static Stream<Arguments> faults() {
        return Arrays.stream(Operation.values())
                .flatMap(operation -> Stream.of(Fault.ERROR, Fault.HALF, Fault.SHORT, Fault.CRASH)
                        .flatMap(fault -> Stream.iterate(1, nth -> nth + 1)
                                .limit(MOST_STEPS_OF_A_KIND)
                                .map(nth -> arguments(operation, nth, fault))));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldHaveTheOldOrTheNewAfterALossOfPower(Operation operation, int nth, Fault fault) throws Exception {
        for (SplittableRandom kept : new @Nullable SplittableRandom[] {null, new SplittableRandom(nth)}) {
            // given
            FaultyStorage disk = new FaultyStorage();
            Configuration before;
            boolean acknowledged;
            try (ConfigurationStore store = ConfigurationStore.open(disk, DIRECTORY)) {
                before = store.apply(List.of(queue("orders", 1)), 1);
                disk.failAt(operation, nth, fault);

                // when
                acknowledged = isAcknowledged(store, 2);
                assertThat(store.current().version()).isEqualTo(acknowledged ? 3 : 2);
            }
            disk.losePower(kept);

            // then
            try (ConfigurationStore store = ConfigurationStore.open(disk, DIRECTORY)) {
                assertOldOrNew(store.current(), before, acknowledged);
                assertThat(isAcknowledged(store, 4)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void shouldBeginOnceWhateverFailsAtTheFirstStart(Operation operation, int nth, Fault fault) throws Exception {
        // given
        storage.failAt(operation, nth, fault);
        try (ConfigurationStore store = ConfigurationStore.open(storage, DIRECTORY)) {
            assertThat(store.current().version()).isEqualTo(1);
        } catch (ConfigurationStoreException e) {
            assertThat(e).hasMessageContaining("the test lets this fail");
        }

        // when
        storage.losePower(new SplittableRandom(nth));

        // then
        try (ConfigurationStore store = ConfigurationStore.open(storage, DIRECTORY)) {
            assertThat(store.current().version()).isEqualTo(1);
        }
    }

    @Test
    void shouldGoOnAfterADiskThatWasFull() throws Exception {
        try (ConfigurationStore store = ConfigurationStore.open(storage, DIRECTORY)) {
            // given
            storage.capacity(1);

            // then
            assertThatThrownBy(() -> store.apply(List.of(queue("orders", 1)), 1))
                    .isInstanceOf(ConfigurationStoreException.class)
                    .hasMessageContaining("could not be stored and was not made");
            assertThat(store.current().version()).isEqualTo(1);

            // when
            storage.capacity(Long.MAX_VALUE);

            // then
            assertThat(isAcknowledged(store, 1)).isTrue();
            assertThat(store.current().version()).isEqualTo(2);
        }
    }

    @Test
    void shouldFailAtEveryStepThatAChangeTakes() throws Exception {
        try (ConfigurationStore store = ConfigurationStore.open(storage, DIRECTORY)) {
            for (Operation operation : List.of(
                    Operation.DELETE,
                    Operation.CREATE,
                    Operation.WRITE,
                    Operation.FORCE,
                    Operation.RENAME,
                    Operation.FORCE_DIRECTORY)) {
                // when
                storage.failAt(operation, 1, Fault.ERROR);

                // then
                assertThat(isAcknowledged(store, 5)).as("%s", operation).isFalse();
                assertThat(store.versions()).containsExactly(1L);
            }
        }
    }

    private static void assertOldOrNew(Configuration found, Configuration before, boolean acknowledged) {
        int maxMessages = found.find(Queue.class, "orders").orElseThrow().maxMessages();
        if (acknowledged || found.version() == 3) {
            assertThat(found.version()).isEqualTo(3);
            assertThat(maxMessages).isEqualTo(2);
        } else {
            assertThat(found).isEqualTo(before);
        }
    }

    private static boolean isAcknowledged(ConfigurationStore store, int maxMessages) throws Exception {
        try {
            store.apply(List.of(queue("orders", maxMessages)), ConfigurationStore.ANY_VERSION);
            return true;
        } catch (ConfigurationStoreException e) {
            return false;
        }
    }
}
