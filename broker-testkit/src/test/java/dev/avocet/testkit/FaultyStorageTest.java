package dev.avocet.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultyStorageTest {
    private static final Path DIRECTORY = Path.of("/disk");
    private static final Path PATH = DIRECTORY.resolve("a");
    private static final int PAGE = 4096;

    private final FaultyStorage storage = new FaultyStorage();

    @Test
    void shouldFailOnceAtTheOperationThatWasPlanned() throws IOException {
        // given
        StorageFile file = storage.create(PATH);
        file.write(bytes(1, 10), 0);

        // when
        storage.failAt(Operation.WRITE, 2, Fault.ERROR);

        // then
        file.write(bytes(2, 10), 0);
        assertThatThrownBy(() -> file.write(bytes(3, 10), 0)).isInstanceOf(IOException.class);
        assertThat(byteAt(file, 0)).isEqualTo((byte) 2);
        file.write(bytes(4, 10), 0);
        assertThat(byteAt(file, 9)).isEqualTo((byte) 4);
        assertThat(storage.count(Operation.WRITE)).isEqualTo(4);
    }

    @Test
    void shouldWriteByHalves() throws IOException {
        // given
        StorageFile file = storage.create(PATH);

        // when, then
        storage.failAt(Operation.WRITE, 1, Fault.SHORT);
        assertThat(file.write(bytes(1, 10), 0)).isEqualTo(5);
        storage.failAt(Operation.WRITE, 1, Fault.HALF);
        assertThatThrownBy(() -> file.write(bytes(2, 10), 0)).isInstanceOf(IOException.class);
        assertThat(file.sizeBytes()).isEqualTo(5);
        assertThat(byteAt(file, 4)).isEqualTo((byte) 2);
    }

    @Test
    void shouldDoNothingMoreOnceCrashed() throws IOException {
        // given
        StorageFile file = storage.create(PATH);
        storage.failAt(Operation.FORCE, 1, Fault.CRASH);
        assertThatThrownBy(() -> file.force(true)).isInstanceOf(IOException.class);

        // when, then
        assertThatThrownBy(() -> file.write(bytes(1, 1), 0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> storage.list(DIRECTORY)).isInstanceOf(IOException.class);

        // and when
        storage.restart();

        // then
        assertThat(storage.list(DIRECTORY)).containsExactly(PATH);
        assertThatThrownBy(() -> file.write(bytes(1, 1), 0)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldLoseWhatNobodyForcedWithThePower() throws IOException {
        // given
        StorageFile file = storage.create(PATH);
        file.write(bytes(1, 100), 0);
        file.force(false);
        storage.forceDirectory(DIRECTORY);
        file.write(bytes(2, 50), 0);
        storage.create(DIRECTORY.resolve("b")).force(true);

        // when
        storage.losePower(null);

        // then
        assertThat(storage.list(DIRECTORY)).containsExactly(PATH);
        assertThat(byteAt(storage.open(PATH), 0)).isEqualTo((byte) 1);
        assertThat(storage.sizeBytes(PATH)).isEqualTo(100);
    }

    @Test
    void shouldLoseNamesThatNobodyForced() throws IOException {
        // given
        storage.create(PATH).force(true);
        storage.forceDirectory(DIRECTORY);
        storage.rename(PATH, DIRECTORY.resolve("b"));

        // when
        storage.losePower(null);

        // then
        assertThat(storage.list(DIRECTORY)).containsExactly(PATH);
    }

    @Test
    void shouldKeepARandomPartOfWhatNobodyForced() throws IOException {
        // given
        Set<String> outcomes = new HashSet<>();
        SplittableRandom random = new SplittableRandom(7);
        StorageFile created = storage.create(PATH);
        created.allocate(3 * PAGE);
        created.force(true);
        storage.forceDirectory(DIRECTORY);

        for (int i = 1; i < 100; i++) {
            // when
            StorageFile file = storage.open(PATH);
            byte before = (byte) (i - 1);
            file.writeFully(bytes(before, 3 * PAGE), 0);
            file.force(false);
            file.writeFully(bytes(i, 3 * PAGE), 0);
            storage.losePower(random);

            // then
            StorageFile after = storage.open(PATH);
            outcomes.add((byteAt(after, 0) == before) + " " + (byteAt(after, PAGE) == before) + " "
                    + (byteAt(after, 2 * PAGE) == before));
            assertThat(byteAt(after, PAGE - 1)).isEqualTo(byteAt(after, 0));
        }
        assertThat(outcomes).hasSize(8);
    }

    @Test
    void shouldLoseForGoodWhatAForceFailedToWrite() throws IOException {
        // given
        StorageFile file = storage.create(PATH);
        storage.forceDirectory(DIRECTORY);
        file.write(bytes(1, 100), 0);
        storage.failAt(Operation.FORCE, 1, Fault.ERROR);
        assertThatThrownBy(() -> file.force(false)).isInstanceOf(IOException.class);

        // when it is tried again, with success
        file.force(false);
        storage.losePower(null);

        // then
        assertThat(byteAt(storage.open(PATH), 0)).isZero();
    }

    @Test
    void shouldBecomeFull() throws IOException {
        // given
        storage.capacity(100);
        StorageFile file = storage.create(PATH);
        file.write(bytes(1, 80), 0);

        // when, then
        assertThat(storage.usableSpaceBytes(DIRECTORY)).isEqualTo(20);
        assertThatThrownBy(() -> file.write(bytes(1, 21), 80)).isInstanceOf(IOException.class);
        file.write(bytes(2, 100), 0);
        assertThat(storage.usableSpaceBytes(DIRECTORY)).isZero();
    }

    private static byte byteAt(StorageFile file, long offset) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(1);
        file.readFully(target, offset);
        return target.get(0);
    }

    private static ByteBuffer bytes(int value, int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }
}
