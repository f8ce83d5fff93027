package dev.avocet.core.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.Message;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredRetained;
import dev.avocet.core.store.replay.RecoveredSession;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.testkit.FaultyStorage.Fault;
import dev.avocet.testkit.FaultyStorage.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointFileTest {
    @Test
    void shouldTellEverythingAgain() throws JournalException {
        // given
        CheckpointRig rig = new CheckpointRig(0);

        // when
        rig.write(1, 10_000);
        RecoveredState state = rig.recover();

        // then
        RecoveredSession session = state.sessions().get(0);
        assertThat(session.clientId()).isEqualTo("client-1");
        assertThat(((NoteState) session.protocolState()).notes()).containsExactly(7);
        assertThat(state.retained("topic-1")).isEqualTo(new RecoveredRetained(rig.position + 1, 77));
        RecoveredQueue queue = state.queue(1);
        assertThat(queue.nextReference()).isEqualTo(1_000_000);
        List<FakeQueueSnapshot.Reference> found = new ArrayList<>();
        boolean more = true;
        while (more) {
            more = queue.drainPiece(
                    (reference, position, storedBytes, deadlineNs, options) -> found.add(
                            new FakeQueueSnapshot.Reference(reference, position, storedBytes, deadlineNs, options)),
                    rig.clock);
        }
        List<FakeQueueSnapshot.Reference> written = rig.queue(1, 10_000).references();
        assertThat(found).hasSameSizeAs(written);
        for (int i = 0; i < written.size(); i++) {
            assertThat(found.get(i)).usingRecursiveComparison().isEqualTo(written.get(i));
        }
        assertThat(state.nextSessionId()).isEqualTo(100);
        assertThat(state.nextQueueId()).isEqualTo(200);
        assertThat(state.nextCheckpoint()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheTwoNewest() throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(0);

        // when
        for (int number = 1; number <= 4; number++) {
            rig.write(number);
        }

        // then
        assertThat(new CheckpointFiles(rig.storage, CheckpointRig.DATA).numbers())
                .containsExactly(4L, 3L);
        assertThat(rig.recovered()).isEqualTo(4);
    }

    @Test
    void shouldBeGivenUpAmongTheReferencesOfAQueueAndLeaveTheOneBefore() throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(0);
        rig.write(1);
        CheckpointStop stop = new CheckpointStop();
        CheckpointWriter writer = CheckpointWriter.begin(
                rig.storage,
                CheckpointRig.DATA,
                new CheckpointHeader(2, rig.position, 100, 200, 1, 1, 5, rig.storeId()),
                stop,
                rig.clock);
        List<FakeQueueSnapshot.Reference> many = rig.queue(2, 10_000).references();
        int[] seen = {0};
        List<FakeQueueSnapshot.Reference> stopping = new AbstractList<>() {
            @Override
            public FakeQueueSnapshot.Reference get(int index) {
                if (index == 100) {
                    stop.stop();
                }
                seen[0] = index;
                return many.get(index);
            }

            @Override
            public int size() {
                return many.size();
            }
        };

        // when
        assertThatThrownBy(() -> writer.queue(new FakeQueueSnapshot(2, 1_000_000, stopping)))
                .isInstanceOf(CheckpointGivenUpException.class);
        writer.abort();

        // then
        assertThat(seen[0]).isBetween(100, 5_000);
        assertThat(rig.recovered()).isEqualTo(1);
        assertThatThrownBy(() -> CheckpointWriter.begin(
                        rig.storage,
                        CheckpointRig.DATA,
                        new CheckpointHeader(3, rig.position, 100, 200, 1, 1, 5, rig.storeId()),
                        stop,
                        rig.clock))
                .isInstanceOf(CheckpointGivenUpException.class);
    }

    @Test
    void shouldNotBeMisledByAnyDamage() throws IOException {
        // given
        SplittableRandom random = new SplittableRandom(1);
        CheckpointRig rig = new CheckpointRig(0);
        rig.write(1);
        rig.write(2);
        int size = (int) rig.storage.sizeBytes(rig.file(2));
        byte[] whole = bytes(rig, 2);

        for (int at = 0; at < size; at++) {
            // when
            byte damaged = (byte) (whole[at] ^ 1 << random.nextInt(8));
            rig.storage.overwrite(rig.file(2), at, damaged);

            // then
            assertThat(rig.recovered()).as("byte %d of %d", at, size).isEqualTo(1);
            putBack(rig, 2, whole);
            assertThat(rig.recovered()).isEqualTo(2);
        }
    }

    @Test
    void shouldNotTakeAPartForTheWhole() throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(0);
        rig.write(1);
        rig.write(2);
        byte[] whole = bytes(rig, 2);

        for (int length = 0; length < whole.length; length += 3) {
            // when
            putBack(rig, 2, Arrays.copyOf(whole, length));

            // then
            assertThat(rig.recovered()).isEqualTo(1);
        }
        putBack(rig, 2, Arrays.copyOf(whole, whole.length + 1));
        assertThat(rig.recovered()).isEqualTo(1);
    }

    @Test
    void shouldPutADamagedOneAsideSoThatItDoesNotCount() throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(0);
        rig.write(1);
        rig.write(2);
        rig.storage.overwrite(rig.file(2), 30, (byte) 0x55, (byte) 0x55);

        // when
        RecoveredState state = rig.recover();
        rig.write(state.nextCheckpoint());

        // then
        assertThat(new CheckpointFiles(rig.storage, CheckpointRig.DATA).numbers())
                .containsExactly(3L, 1L);
        assertThat(rig.storage.list(CheckpointRig.DATA)).contains(Path.of(rig.file(2) + ".damaged"));
    }

    @Test
    void shouldReadTheWholeLogWhenEveryCheckpointIsDamaged() throws IOException {
        CheckpointRig rig = new CheckpointRig(3);
        rig.write(1);
        rig.storage.overwrite(rig.file(1), 50, (byte) 0x55, (byte) 0x55);

        assertThat(rig.recovered()).isZero();
        assertThat(rig.recover().nextCheckpoint()).isEqualTo(2);
    }

    @Test
    void shouldRefuseToGoOnWhenNothingTellsWhatWasBeforeTheLog() throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(5_000);
        assertThat(rig.open().segments()).hasSizeGreaterThan(1);
        rig.write(1);
        assertThat(rig.recovered()).isEqualTo(1);
        rig.storage.delete(rig.open().segments().get(0).file());
        rig.storage.delete(rig.file(1));

        // then
        assertThatThrownBy(rig::recover).isInstanceOf(CorruptJournalException.class);
    }

    @Test
    void shouldRefuseToGoOnWithoutWhatIsAlive() throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(0);
        CheckpointWriter writer = CheckpointWriter.begin(
                rig.storage,
                CheckpointRig.DATA,
                new CheckpointHeader(1, rig.position, 1, 1, 1, 1, 5, rig.storeId()),
                rig.clock);
        EntryLog session = new EntryLog().session(1, "c").subscription(1, "a", null, 1);
        writer.session(session.buffer().array(), RecordHeader.BYTES, session.offset());
        writer.queue(new FakeQueueSnapshot(
                1, 5, List.of(new FakeQueueSnapshot.Reference(1, 17_000_000, 90, Message.NEVER, null))));
        writer.finish();

        // then
        assertThatThrownBy(rig::recover).isInstanceOf(JournalException.class).hasMessageContaining("17000000");
    }

    @Test
    void shouldRemoveWhatWasNeverFinished() throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(0);
        rig.write(1);
        rig.storage.create(rig.file(2).resolveSibling("checkpoint-0000000002.tmp"));

        // when
        rig.recover();

        // then
        assertThat(rig.storage.list(CheckpointRig.DATA)).containsExactly(rig.file(1));
    }

    @ParameterizedTest
    @EnumSource(Operation.class)
    void shouldSurviveAFailureOfEachOperation(Operation operation) throws IOException {
        for (Fault fault : Fault.values()) {
            boolean failed = true;
            for (int nth = 1; failed && nth < 50; nth++) {
                for (long seed = 0; seed < 4; seed++) {
                    failed = survives(operation, nth, fault, seed == 0 ? null : new SplittableRandom(seed));
                }
            }
        }
    }

    /** True when the operation has failed. */
    private static boolean survives(Operation operation, int nth, Fault fault, @Nullable SplittableRandom kept)
            throws IOException {
        // given
        CheckpointRig rig = new CheckpointRig(0);
        rig.write(1);
        rig.write(2);
        rig.storage.failAt(operation, nth, fault);
        int before = rig.storage.count(operation);

        // when
        boolean finished = true;
        try {
            rig.write(3, 30_000);
        } catch (JournalException e) {
            finished = false;
        }
        boolean reached = rig.storage.count(operation) - before >= nth;
        rig.storage.losePower(kept);

        // then
        long recovered = rig.recovered();
        if (finished) {
            assertThat(recovered).isEqualTo(3);
        } else {
            assertThat(recovered).isIn(2L, 3L);
        }
        return reached;
    }

    private static byte[] bytes(CheckpointRig rig, long number) throws IOException {
        try (StorageFile file = rig.storage.openForReading(rig.file(number))) {
            byte[] bytes = new byte[(int) file.sizeBytes()];
            assertThat(file.readFully(ByteBuffer.wrap(bytes), 0)).isEqualTo(bytes.length);
            return bytes;
        }
    }

    private static void putBack(CheckpointRig rig, long number, byte[] bytes) throws IOException {
        rig.storage.delete(rig.file(number));
        try (StorageFile file = rig.storage.create(rig.file(number))) {
            file.writeFully(ByteBuffer.wrap(bytes), 0);
        }
    }
}
