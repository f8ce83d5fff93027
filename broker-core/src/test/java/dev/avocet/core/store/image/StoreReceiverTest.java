package dev.avocet.core.store.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.CopyRefusedException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalKind;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.VolatileDisk;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RemainingRecords;
import dev.avocet.core.store.checkpoint.TakenCheckpoint;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.testkit.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that is sent as a checkpoint and the records that go with it. */
class StoreReceiverTest {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int PART_BYTES = 40;

    @TempDir
    Path directory;

    private final ManualClock clock = new ManualClock();
    private UUID storeId = new UUID(0, 0);
    private int epoch = 1;
    private long sequence;

    static Stream<Arguments> pairings() {
        return Stream.of(JournalKind.values())
                .flatMap(sender -> Stream.of(JournalKind.values()).map(receiver -> Arguments.of(sender, receiver)));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldMakeAStoreThatSaysTheSame(JournalKind sender, JournalKind receiver) throws IOException {
        // given a store of which a segment was dropped
        StoreFiles from = files("from", sender);
        StoreFiles to = files("to", receiver);
        writeStore(from);
        try (CopyJournal journal = from.openJournal();
                CheckpointCopy checkpoint = CheckpointCopy.newest(from, storeId)) {
            journal.scan(checkpoint.position(), (position, bytes, offset, length) -> {});

            // when
            try (StoreReceiver received = StoreReceiver.begin(to, storeId)) {
                sendCheckpoint(checkpoint, received);
                sendSegments(journal, received, checkpoint.position(), List.of(1, 3, 4));
                received.complete(journal.end());
            }
        }

        // then
        try (StandbyStore before = StandbyStore.open(from, clock, (position, bytes, offset, length) -> {});
                StandbyStore after = StandbyStore.open(to, clock, (position, bytes, offset, length) -> {})) {
            assertThat(after.journal().end()).isEqualTo(before.journal().end());
            assertThat(after.imageEnd()).isEqualTo(before.imageEnd());
            assertThat(after.journal().storeId()).isEqualTo(storeId);
            StoreTerm term = after.takeOver(5, null, () -> Long.MAX_VALUE);
            Map<Integer, Integer> living = new TreeMap<>();
            term.living().forEach((segment, references, bytes) -> living.put(segment, references));
            assertThat(living)
                    .as("where the three retained messages lie")
                    .isEqualTo(Map.of(1, 1, term.journal().map().last(), 2));
            assertThat(term.takeState().retainedTopics()).contains("kept", "late");
            term.journal().close();
            term.pages().close();
        }
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void shouldComeWholeWhereverThePowerIsLost(JournalKind sender, JournalKind receiver) throws IOException {
        // given
        StoreFiles from = files("from", sender);
        writeStore(from);
        Path to = directory.resolve("to");
        int[] losses = {0};
        VolatileDisk[] disk = new VolatileDisk[1];
        disk[0] = new VolatileDisk(() -> losePower(disk[0], to, losses[0]++));
        try (CopyJournal journal = from.openJournal();
                CheckpointCopy checkpoint = CheckpointCopy.newest(from, storeId)) {
            journal.scan(checkpoint.position(), (position, bytes, offset, length) -> {});

            // when the power of a receiving node is lost before each of its steps, and once all is there
            receive(journal, checkpoint, files(disk[0], "to", receiver));
            losePower(disk[0], to, losses[0]);

            // then what is there at the end is whole
            assertSaysTheSame(from, files("lost-" + losses[0], receiver));

            // and what was lost in between comes again, into what was left
            for (int loss = 0; loss < losses[0]; loss++) {
                StoreFiles again = files("lost-" + loss, receiver);
                receive(journal, checkpoint, again);
                assertSaysTheSame(from, again);
            }
        }
        assertThat(losses[0]).isGreaterThan(3);
    }

    private void receive(CopyJournal journal, CheckpointCopy checkpoint, StoreFiles files) throws JournalException {
        try (StoreReceiver received = StoreReceiver.begin(files, storeId)) {
            sendCheckpoint(checkpoint, received);
            sendSegments(journal, received, checkpoint.position(), List.of(1, 3, 4));
            received.complete(journal.end());
        }
    }

    private void losePower(VolatileDisk disk, Path place, int loss) {
        try {
            disk.losePower(new SplittableRandom(loss), place, directory.resolve("lost-" + loss));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertSaysTheSame(StoreFiles one, StoreFiles other) throws IOException {
        try (StandbyStore before = StandbyStore.open(one, clock, (position, bytes, offset, length) -> {});
                StandbyStore after = StandbyStore.open(other, clock, (position, bytes, offset, length) -> {})) {
            assertThat(after.journal().end()).isEqualTo(before.journal().end());
            assertThat(after.imageEnd()).isEqualTo(before.imageEnd());
            assertThat(after.journal().storeId()).isEqualTo(storeId);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotTakeOverWithoutASegmentInWhichSomethingIsAlive(JournalKind kind) throws IOException {
        // given
        StoreFiles files = files("from", kind);
        writeStore(files);
        try (StandbyStore store = StandbyStore.open(files, clock, (position, bytes, offset, length) -> {})) {
            store.journal().drop(1);

            // then
            assertThatThrownBy(() -> store.takeOver(5, null, () -> Long.MAX_VALUE))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("segments of the journal are missing")
                    .hasMessageContaining("1 messages");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatIsNotWhole(JournalKind kind) throws IOException {
        // given
        StoreFiles from = files("from", kind);
        writeStore(from);
        try (CopyJournal journal = from.openJournal();
                CheckpointCopy checkpoint = CheckpointCopy.newest(from, storeId)) {
            journal.scan(checkpoint.position(), (position, bytes, offset, length) -> {});

            // when, then: a checkpoint without its end
            try (StoreReceiver received = StoreReceiver.begin(files("to", kind), storeId)) {
                received.takeCheckpoint(checkpoint.read(0, (int) checkpoint.sizeBytes() - 1));
                assertThatThrownBy(() -> sendSegments(journal, received, checkpoint.position(), List.of(4)))
                        .isInstanceOf(CopyRefusedException.class)
                        .hasMessageContaining("that has come is damaged");
            }

            // a hole behind the checkpoint's position
            try (StoreReceiver received = StoreReceiver.begin(files("to", kind), storeId)) {
                sendCheckpoint(checkpoint, received);
                assertThatThrownBy(() -> sendSegments(journal, received, checkpoint.position(), List.of(1, 4)))
                        .isInstanceOf(CopyRefusedException.class)
                        .hasMessageContaining("has not come");
            }

            // an end that has not come
            try (StoreReceiver received = StoreReceiver.begin(files("to", kind), storeId)) {
                sendCheckpoint(checkpoint, received);
                sendSegments(journal, received, checkpoint.position(), List.of(1, 3));
                assertThatThrownBy(() -> received.complete(journal.end()))
                        .isInstanceOf(CopyRefusedException.class)
                        .hasMessageContaining("and not at " + journal.end());
            }
        }
    }

    /** Four segments, of which the second was dropped; the checkpoint lies in the third. */
    private void writeStore(StoreFiles files) throws IOException {
        long middle;
        try (CopyJournal journal = files.openJournal()) {
            storeId = journal.storeId();
            journal.begin(epoch);
            append(journal, retained("kept"));
            fill(journal, 3);
            journal.force();
            middle = journal.end();
        }
        StoreImage image = StoreImage.empty(new Formats(List.of()), NoteState::new);
        try (CopyJournal journal = files.openJournal()) {
            journal.scan(image.from(), image::apply);
            TakenCheckpoint taken = image.writeCheckpoint(files.storage(), files.directory(), storeId, 1, clock);
            assertThat(taken.position()).isLessThan(middle);
            assertThat(journal.map().segmentOf(taken.position())).isEqualTo(3);
            epoch = 2;
            journal.begin(epoch);
            append(journal, retained("late"));
            journal.force();
            journal.drop(2);
        }
    }

    private static EntryLog retained(String topic) throws JournalException {
        return new EntryLog()
                .message(EntryKind.MESSAGE, true, 0, EntryLog.NEVER, 0)
                .endMessage(topic, new byte[1000]);
    }

    private void fill(CopyJournal journal, int segments) throws JournalException {
        while (journal.segments().size() < segments) {
            append(journal, retained("passing"));
        }
    }

    private void append(CopyJournal journal, EntryLog entries) throws JournalException {
        long unused = entries.appendTo(journal, epoch, ++sequence);
    }

    private static void sendCheckpoint(CheckpointCopy checkpoint, StoreReceiver received) throws JournalException {
        long at = 0;
        for (byte[] part = checkpoint.read(at, PART_BYTES); part.length > 0; part = checkpoint.read(at, PART_BYTES)) {
            received.takeCheckpoint(part);
            at += part.length;
        }
    }

    /** Those that are left out are not alive. */
    private static void sendSegments(
            CopyJournal journal, StoreReceiver received, long checkpoint, List<Integer> segments)
            throws JournalException {
        RemainingRecords left = new RemainingRecords(journal, checkpoint, segments::contains);
        ByteArrayOutputStream some = new ByteArrayOutputStream();
        while (left.next(journal.end())) {
            if (segments.contains(journal.map().segmentOf(RecordHeader.position(left.record(), 0)))) {
                some.write(left.record(), 0, left.length());
            }
        }
        received.take(some.toByteArray());
    }

    private StoreFiles files(String name, JournalKind kind) throws IOException {
        return files(new DiskStorage(), name, kind);
    }

    private StoreFiles files(Storage storage, String name, JournalKind kind) throws IOException {
        Path path = Files.createDirectories(directory.resolve(name));
        return new StoreFiles(
                store -> (CopyJournal) kind.open(storage, store.resolve("journal"), SEGMENT_BYTES),
                storage,
                path,
                List.of(),
                NoteState::new);
    }
}
