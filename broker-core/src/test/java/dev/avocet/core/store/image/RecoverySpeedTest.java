package dev.avocet.core.store.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.queue.reference.ReferenceVisitor;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import dev.avocet.core.store.checkpoint.CheckpointWriter;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.inspect.StoreInspection;
import dev.avocet.core.store.inspect.StoreVerification;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long recovery takes, and how much memory. Prints its figures. A heap of 512 MB is enough. */
@Tag("soak")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RecoverySpeedTest {
    private static final int MESSAGES = 10_000_000;
    private static final int RECORD_MESSAGES = 200;
    private static final int LOOPS = 2;
    private static final long QUEUE = 1;
    private static final int QUEUES = 10_000;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Clock clock = new SystemClock();

    @TempDir
    Path directory;

    private long sequence;

    @Test
    void shouldRecoverTenMillionMessagesInSeconds() throws IOException {
        // given
        long last = writeMessages(false, 1);

        // when
        RecoveredState fromLog = timed("10 M messages from the log", this::recover);
        writeCheckpoint(fromLog, last);
        fromLog = null;
        RecoveredState fromCheckpoint = timed("10 M messages from a checkpoint", this::recover);

        // then
        assertThat(fromCheckpoint.queue(QUEUE).size()).isEqualTo(MESSAGES);
        long began = clock.nanoTime();
        long[] sum = new long[1];
        boolean more = true;
        while (more) {
            more = fromCheckpoint
                    .queue(QUEUE)
                    .drainPiece((reference, position, storedBytes, deadlineNs, options) -> sum[0] += reference, clock);
        }
        print("drained in %d ms", millisSince(began));
        assertThat(sum[0]).isEqualTo((long) MESSAGES * (MESSAGES + 1) / 2);
    }

    @Test
    void shouldRecoverTenMillionMessagesOfManyQueues() throws IOException {
        // given
        writeMessages(false, QUEUES);

        // when
        RecoveredState state = timed("10 M messages of 10,000 queues", this::recover);

        // then
        assertThat(state.references()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldVerifyTenMillionMessages() throws IOException {
        // given
        writeMessages(false, 1);
        long began = clock.nanoTime();

        // when
        try (FileJournal journal = open()) {
            StoreInspection inspection =
                    new StoreInspection(journal, new DiskStorage(), directory, List.of(), NoteState::new, clock);
            StoreVerification found = inspection.verify();

            // then
            print("10 M messages verified in %d ms", millisSince(began));
            assertThat(found.isWhole()).isTrue();
            assertThat(found.references()).isEqualTo(MESSAGES);
        }
    }

    @Test
    void shouldReadTenMillionMessagesThatAreOverInLittleMemory() throws IOException {
        // given
        writeMessages(true, 1);

        // when
        RecoveredState state = timed("10 M messages, each acknowledged soon after", this::recover);

        // then
        assertThat(state.references()).isLessThanOrEqualTo(2L * RECORD_MESSAGES);
    }

    /**
     * Two loops, whose numbers lie between each other's.
     *
     * @param acknowledged whether what came is acknowledged at once
     * @param queues to which the messages go in turn
     * @return position of the last record
     */
    private long writeMessages(boolean acknowledged, int queues) throws JournalException {
        FileJournal journal = open();
        journal.begin(1);
        EntryLog begin = new EntryLog().session(1, "client");
        for (int queue = 0; queue < queues; queue++) {
            begin.subscription(1, "t" + queue, null, QUEUE + queue);
        }
        append(journal, begin);
        long number = 0;
        while (number < MESSAGES) {
            for (int loop = 0; loop < LOOPS; loop++) {
                EntryLog log = new EntryLog();
                for (int i = 0; i < RECORD_MESSAGES; i++) {
                    long its = number + (long) i * LOOPS + loop;
                    log.message(EntryKind.MESSAGE, false, 0, EntryLog.NEVER, 1)
                            .target(QUEUE + its % queues, its / queues + 1, null)
                            .endMessage("sensors/1234", new byte[32]);
                }
                append(journal, log);
            }
            number += (long) RECORD_MESSAGES * LOOPS;
            if (acknowledged) {
                append(journal, acknowledgement(number - (long) RECORD_MESSAGES * LOOPS, number));
            }
        }
        long last = append(journal, new EntryLog().numbered(EntryKind.CHECKPOINT, 1));
        journal.close();
        return last;
    }

    private static EntryLog acknowledgement(long after, long until) {
        long[] numbers = new long[(int) (until - after)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = after + i + 1;
        }
        return new EntryLog().acknowledge(QUEUE, numbers);
    }

    private long append(FileJournal journal, EntryLog log) throws JournalException {
        storeId = journal.storeId();
        return log.appendTo(journal, 1, ++sequence);
    }

    private void writeCheckpoint(RecoveredState state, long position) throws IOException {
        long began = clock.nanoTime();
        CheckpointWriter writer = CheckpointWriter.begin(
                new DiskStorage(), directory, new CheckpointHeader(1, position, 2, 2, 0, 1, 0, storeId), clock);
        EntryLog session = new EntryLog().session(1, "client").subscription(1, "t", null, QUEUE);
        writer.session(session.buffer().array(), RecordHeader.BYTES, session.offset());
        writer.queue(new Snapshot(state.queue(QUEUE)));
        writer.finish();
        print(
                "checkpoint written in %d ms, %d MB",
                millisSince(began), Files.size(new CheckpointFiles(new DiskStorage(), directory).file(1)) >> 20);
    }

    private UUID storeId = new UUID(0, 0);

    private RecoveredState recover() throws JournalException {
        try (FileJournal journal = open()) {
            return new Recovery(journal, new DiskStorage(), directory, new Formats(List.of()), NoteState::new, clock)
                    .read();
        }
    }

    private FileJournal open() throws JournalException {
        return FileJournal.open(new DiskStorage(), directory.resolve("journal"), 64 << 20);
    }

    private RecoveredState timed(String what, Work work) throws IOException {
        long before = usedBytes();
        long began = clock.nanoTime();
        RecoveredState state = work.run();
        long tookMs = millisSince(began);
        print("%s: %d ms, %d MB", what, tookMs, usedBytes() - before >> 20);
        assertThat(tookMs).isLessThan(LIMIT.toMillis());
        return state;
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private long millisSince(long beganNs) {
        return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - beganNs);
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in no library that this module has
    private static void print(String format, Object... figures) {
        System.out.println("RecoverySpeedTest: " + String.format(Locale.ROOT, format, figures));
    }

    @FunctionalInterface
    private interface Work {
        RecoveredState run() throws IOException;
    }

    private record Snapshot(RecoveredQueue queue) implements QueueSnapshot {
        @Override
        public long queueId() {
            return queue.id();
        }

        @Override
        public long nextReference() {
            return queue.nextReference();
        }

        @Override
        public int size() {
            return (int) queue.size();
        }

        @Override
        public void forEach(ReferenceVisitor visitor) {
            queue.forEach((number, position, storedBytes, expiry, options) ->
                    visitor.onReference(number, position, storedBytes, Message.NEVER, options));
        }
    }
}
