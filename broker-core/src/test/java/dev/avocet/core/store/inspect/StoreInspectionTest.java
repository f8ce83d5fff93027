package dev.avocet.core.store.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import dev.avocet.core.store.checkpoint.CheckpointRig;
import dev.avocet.core.store.checkpoint.CheckpointWriter;
import dev.avocet.core.store.checkpoint.FakeQueueSnapshot;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.image.Recovery;
import dev.avocet.core.store.place.MessageReads;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredDestination;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.RandomSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoreInspectionTest {
    private static final Path DATA = Path.of("/data");
    private static final Path JOURNAL = Path.of("/data/journal");
    private static final int RECORDS = 60;
    private static final int PER_RECORD = 20;
    /** At the most. */
    private static final int RECORDS_PER_SEGMENT = 14;
    /** So many of a record's messages stay. */
    private static final int STAYING = 7;

    /** Checkpoints were taken at these records. */
    private static final List<Integer> CHECKPOINTS = List.of(20, 40);

    private FaultyStorage storage = new FaultyStorage();
    private final ManualClock clock = new ManualClock();
    private final List<Long> positions = new ArrayList<>();
    private final List<Long> places = new ArrayList<>();
    private UUID storeId = new UUID(0, 0);
    private final List<Integer> lengths = new ArrayList<>();

    @Test
    void shouldTellWhatIsThere() throws JournalException {
        // given
        write();

        // when
        StoreStat stat = inspect(StoreInspection::stat);

        // then
        assertThat(stat.sessions()).isEqualTo(1);
        assertThat(stat.queues()).isEqualTo(2);
        assertThat(stat.references()).isEqualTo(alive().size());
        assertThat(stat.retained()).isEqualTo(1);
        assertThat(stat.checkpoints()).extracting(CheckpointStat::number).containsExactly(2L, 1L);
        assertThat(stat.segments()).hasSizeGreaterThan(2);
        assertThat(stat.segments().stream()
                        .mapToLong(SegmentStat::liveReferences)
                        .sum())
                .isEqualTo(alive().size() + 1);
        assertThat(stat.entries()).containsEntry(EntryKind.MESSAGE, (long) (RECORDS - 40 + 1) * PER_RECORD);
        assertThat(stat.damages()).isEmpty();
        assertThat(stat.toString()).contains("checkpoint 2: at ").contains("1 sessions");
    }

    @Test
    void shouldFindNothingWrongWithAWholeStore() throws JournalException {
        // given
        write();

        // when
        StoreVerification found = inspect(StoreInspection::verify);

        // then
        assertThat(found.isWhole()).isTrue();
        assertThat(found.references()).isEqualTo(alive().size() + 1);
        assertThat(found.entries())
                .containsEntry(EntryKind.MESSAGE, (long) RECORDS * PER_RECORD + 1)
                .containsEntry(EntryKind.SESSION, 1L);
        assertThat(found.toString()).contains("the store is whole");
        assertThat(inspect(StoreInspection::repair).hasChanged()).isFalse();
    }

    @Test
    void shouldNameEveryRecordThatIsDamaged() throws JournalException {
        // given
        write();
        damageRecord(45);
        damageRecord(46);
        damageRecord(50);
        damageRecord(10);

        // when
        StoreVerification found = inspect(StoreInspection::verify);

        // then
        assertThat(found.isWhole()).isFalse();
        assertThat(found.damages()).extracting(Damage::file, Damage::offset).containsExactly(place(45), place(50));
        assertThat(found.oldDamages()).extracting(Damage::file, Damage::offset).containsExactly(place(10));
        assertThat(found.records()).isEqualTo(RECORDS + 1 - 4);
        assertThat(found.lostReferences()).isEqualTo(STAYING); // those of the others are not known of
        assertThat(found.lost())
                .extracting(LostMessages::whose)
                .containsExactly("the subscription 'a/#' of client 'c'");
    }

    @Test
    void shouldGoOnWithEverythingThatCanBeRead() throws JournalException {
        // given
        write();
        damageRecord(45);
        damageRecord(10);
        assertThatThrownBy(this::recover).isInstanceOf(CorruptJournalException.class);

        // when
        StoreRepair repair = inspect(StoreInspection::repair);

        // then
        assertThat(repair.hasChanged()).isTrue();
        assertThat(repair.missingRecords()).isEqualTo(1);
        assertThat(repair.putAside()).hasSize(2);
        assertThat(repair.losses()).anyMatch(loss -> loss.contains("'a/#' of client 'c'"));
        RecoveredState state = recover();
        assertThat(state.lastSequence()).isEqualTo(RECORDS + 1);
        assertThat(state.queue(1).size())
                .isEqualTo(alive().size() - 2 * STAYING + (PER_RECORD - STAYING)); // what 45 acknowledged
        assertThat(state.destinations()).extracting(RecoveredDestination::name).containsExactly("orders");
        assertThat(inspect(StoreInspection::verify).isWhole()).isTrue();
        assertThat(readable(state)).isTrue();
    }

    @Test
    void shouldGiveUpWhatLayInAMissingSegment() throws IOException {
        // given
        write();
        Segment missing = segments().get(0);
        storage.delete(missing.file());
        assertThatThrownBy(this::recover).isInstanceOf(JournalException.class);

        // when
        StoreVerification found = inspect(StoreInspection::verify);
        inspect(StoreInspection::repair);

        // then
        assertThat(found.lostReferences()).isPositive();
        assertThat(readable(recover())).isTrue();
        assertThat(inspect(StoreInspection::verify).isWhole()).isTrue();
    }

    @Test
    void shouldMendWhateverIsDamaged() throws IOException {
        for (long seed : RandomSuite.seeds(150)) {
            // given
            SplittableRandom random = new SplittableRandom(seed);
            storage = new FaultyStorage();
            positions.clear();
            lengths.clear();
            write();
            for (int places = random.nextInt(1, 5); places > 0; places--) {
                damage(random);
            }

            // when
            StoreVerification found = inspect(StoreInspection::verify);
            boolean opens = !found.isWhole() || opens();
            StoreRepair repair = inspect(StoreInspection::repair);

            // then
            assertThat(repair.hasChanged()).as("seed %d", seed).isEqualTo(!found.isWhole());
            assertThat(opens).as("seed %d: %s", seed, found).isTrue();
            RecoveredState state = recover();
            assertThat(readable(state)).as("seed %d: %s", seed, found).isTrue();
            StoreVerification after = inspect(StoreInspection::verify);
            assertThat(after.isWhole()).as("seed %d: %s%s", seed, repair, after).isTrue();
            assertThat(state.queue(1).size())
                    .as("seed %d: %s", seed, found)
                    .isGreaterThanOrEqualTo(alive().size() - found.lostReferences() - unknowable(found));
        }
    }

    /** The most messages that came after the checkpoint and lie where a record, or a whole segment, is lost. */
    private static long unknowable(StoreVerification found) {
        long segments = found.damages().stream()
                .filter(damage -> damage.toString().contains("no header of a segment"))
                .count();
        return RECORDS + segments * (RECORDS_PER_SEGMENT * STAYING + PER_RECORD - STAYING);
    }

    private void damage(SplittableRandom random) throws IOException {
        List<Segment> segments = segments();
        Path file = random.nextInt(5) == 0
                ? new CheckpointFiles(storage, DATA).file(2)
                : segments.get(random.nextInt(segments.size())).file();
        byte[] garbage = new byte[random.nextInt(1, 2_000)];
        random.nextBytes(garbage);
        long room = Math.max(1, storage.sizeBytes(file) - garbage.length);
        int length = (int) Math.min(garbage.length, storage.sizeBytes(file));
        storage.overwrite(file, random.nextLong(room), Arrays.copyOf(garbage, length));
    }

    /** A log over several segments: every third message stays, the others are acknowledged a record later. */
    private void write() throws JournalException {
        try (FileJournal journal = open()) {
            journal.begin(1);
            EntryLog log = new EntryLog().session(1, "c").subscription(1, "a/#", null, 1);
            int retainedAt = log.offset();
            append(journal, log.retained("kept", (byte) 1));
            int retainedBytes = lengths.get(0) - retainedAt;
            for (int record = 1; record <= RECORDS; record++) {
                if (CHECKPOINTS.contains(record)) {
                    log.numbered(EntryKind.CHECKPOINT, record / 20);
                }
                for (int i = 0; i < PER_RECORD; i++) {
                    log.message(EntryKind.MESSAGE, false, 0, EntryLog.NEVER, 1)
                            .target(1, number(record, i), null)
                            .endMessage("a/b", new byte[200]);
                }
                if (record > 1) {
                    log.acknowledge(1, over(record - 1));
                }
                append(journal, log);
                if (CHECKPOINTS.contains(record)) {
                    checkpoint(record, positions.get(0) + retainedAt, retainedBytes);
                }
            }
        }
    }

    private void append(Journal journal, EntryLog log) throws JournalException {
        int length = log.offset();
        storeId = journal.storeId();
        positions.add(log.appendTo(journal, 1, positions.size() + 1));
        places.add(journal.map().placeOf(positions.get(positions.size() - 1)));
        lengths.add(length);
        journal.force();
    }

    /** As of the record before: the one at its position is replayed. */
    private void checkpoint(int record, long retainedPosition, int retainedBytes) throws JournalException {
        CheckpointHeader header = new CheckpointHeader(record / 20, positions.get(record), 2, 3, record, 1, 1, storeId);
        CheckpointWriter writer = CheckpointWriter.begin(storage, DATA, header, clock);
        EntryLog session = new EntryLog().session(1, "c").subscription(1, "a/#", null, 1);
        writer.session(session.buffer().array(), RecordHeader.BYTES, session.offset());
        List<FakeQueueSnapshot.Reference> references = new ArrayList<>();
        int messageBytes = messageBytes();
        for (int each = 1; each < record; each++) {
            for (int i = 0; i < PER_RECORD; i++) {
                boolean stays = i % 3 == 0 || each == record - 1;
                if (stays) {
                    references.add(new FakeQueueSnapshot.Reference(
                            number(each, i), placeOf(each, i), messageBytes, Message.NEVER, null));
                }
            }
        }
        writer.queue(new FakeQueueSnapshot(1, number(record, 0), references));
        writer.destination(2, "orders", QueueKind.CONFIGURED);
        writer.retained(CheckpointRig.retained("kept", retainedPosition, retainedBytes));
        writer.finish();
    }

    /** They take as many bytes each, as the numbers do. */
    private static long number(int record, int index) {
        return 1_000_000L + record * 100L + index;
    }

    private static long[] over(int record) {
        return LongStream.range(0, PER_RECORD)
                .filter(i -> i % 3 != 0)
                .map(i -> number(record, (int) i))
                .toArray();
    }

    private static int messageBytes() {
        EntryLog log = new EntryLog();
        int at = log.offset();
        log.message(EntryKind.MESSAGE, false, 0, EntryLog.NEVER, 1)
                .target(1, number(1, 1), null)
                .endMessage("a/b", new byte[200]);
        return log.offset() - at;
    }

    private long placeOf(int record, int index) {
        int before = CHECKPOINTS.contains(record)
                ? new EntryLog().numbered(EntryKind.CHECKPOINT, 1).offset()
                : RecordHeader.BYTES;
        return positions.get(record) + before + (long) index * messageBytes();
    }

    private static Set<Long> alive() {
        TreeSet<Long> alive = new TreeSet<>();
        for (int record = 1; record <= RECORDS; record++) {
            for (int i = 0; i < PER_RECORD; i++) {
                if (i % 3 == 0 || record == RECORDS) {
                    alive.add(number(record, i));
                }
            }
        }
        return alive;
    }

    private void damageRecord(int record) throws JournalException {
        Path file = segment(record).file();
        storage.overwrite(
                file, FilePlace.offset(places.get(record)) + lengths.get(record) / 2, (byte) 0xA5, (byte) 0x5A);
    }

    private Tuple place(int record) throws JournalException {
        return tuple(segment(record).file().toString(), FilePlace.offset(places.get(record)));
    }

    private Segment segment(int record) throws JournalException {
        return segments().stream()
                .filter(segment -> segment.number() == FilePlace.segment(places.get(record)))
                .findFirst()
                .orElseThrow();
    }

    private List<Segment> segments() throws JournalException {
        try (FileJournal journal = open()) {
            return journal.segments();
        }
    }

    private boolean opens() {
        try {
            recover();
            return true;
        } catch (JournalException e) {
            return false;
        }
    }

    private RecoveredState recover() throws JournalException {
        try (FileJournal journal = open()) {
            return new Recovery(journal, storage, DATA, new Formats(List.of()), NoteState::new, clock).read();
        }
    }

    private boolean readable(RecoveredState state) throws JournalException {
        List<Long> places = new ArrayList<>();
        List<Integer> bytes = new ArrayList<>();
        state.forEachPlace((position, storedBytes) -> {
            places.add(position);
            bytes.add(storedBytes);
        });
        @Nullable StoredMessage[] messages = new StoredMessage[places.size()];
        List<JournalException> failures = new ArrayList<>();
        try (FileJournal journal = open()) {
            new MessageReads(journal, new Formats(List.of()), clock)
                    .read(
                            places.stream().mapToLong(Long::longValue).toArray(),
                            bytes.stream().mapToInt(Integer::intValue).toArray(),
                            messages.length,
                            messages,
                            (position, cause) -> failures.add(cause));
        }
        return failures.isEmpty();
    }

    private <T> T inspect(Work<T> work) throws JournalException {
        try (FileJournal journal = open()) {
            return work.on(new StoreInspection(journal, storage, DATA, List.of(), NoteState::new, clock));
        }
    }

    private FileJournal open() throws JournalException {
        return FileJournal.open(storage, JOURNAL, FileJournal.MIN_SEGMENT_BYTES);
    }

    @FunctionalInterface
    private interface Work<T> {
        T on(StoreInspection inspection) throws JournalException;
    }
}
