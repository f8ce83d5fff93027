package dev.avocet.core.store.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.TransactionRig;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.queue.FakeConsumer;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.transaction.Transaction;
import dev.avocet.core.transaction.TransactionOutcome;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log of a transaction that takes several records, cut wherever it can end: what is recovered is all of it or
 * nothing.
 */
@Timeout(240)
class TransactionAtomicityTest {
    private static final int MESSAGES = 8;
    private static final String LARGE = "x".repeat(12_000);
    private static final int CUTS = 400;
    /** A segment has its name once these are durable, so the log does not end within them. */
    private static final int SEGMENT_HEADER_BYTES = 64;

    @TempDir
    Path directory;

    private final FaultyStorage storage = new FaultyStorage();
    private final SplittableRandom random = new SplittableRandom(5);

    @Test
    void shouldCommitAllOrNothing() throws IOException {
        long[] sizes = write(false);

        int[] states = new int[2];
        for (long cut : cuts(sizes)) {
            RecoveredState state = recover(cut);
            long references = state.queues().get(0).size();
            assertThat(references).as("references after %s bytes", cut).isIn(1L, (long) MESSAGES);
            assertThat(holdsFirst(state)).as("the acknowledged one is there").isEqualTo(references == 1);
            assertThat(state.prepared()).isEmpty();
            states[references == 1 ? 0 : 1]++;
        }
        assertThat(states[0]).isPositive();
        assertThat(states[1]).isPositive();
    }

    @Test
    void shouldPrepareAllOrNothing() throws IOException {
        long[] sizes = write(true);

        int[] states = new int[2];
        for (long cut : cuts(sizes)) {
            RecoveredState state = recover(cut);
            assertThat(state.queues().get(0).size()).isEqualTo(1);
            assertThat(state.prepared()).hasSizeLessThan(2);
            for (RecoveredTransaction prepared : state.prepared()) {
                assertThat(prepared.messages()).hasSize(MESSAGES);
                assertThat(prepared.acknowledged()).hasSize(1);
            }
            states[state.prepared().size()]++;
        }
        assertThat(states[0]).isPositive();
        assertThat(states[1]).isPositive();
    }

    /** Writes a transaction; the bytes of the log before and after it. */
    private long[] write(boolean prepare) throws IOException {
        try (TransactionRig rig = new TransactionRig(storage, directory)) {
            SubscriptionQueue queue = rig.subscribe("1", "a", 20);
            FakeConsumer consumer = rig.consume(queue);
            rig.publish("a", "0");
            Transaction transaction = rig.begin();
            rig.acknowledge(transaction, queue, consumer);
            for (int i = 0; i < MESSAGES; i++) {
                rig.publish(transaction, "a", i + LARGE);
            }
            long before = written();
            if (prepare) {
                assertThat(rig.prepare(transaction, TransactionRig.branch(1))).isEqualTo(TransactionOutcome.PREPARED);
            } else {
                assertThat(rig.commit(transaction)).isEqualTo(TransactionOutcome.COMMITTED);
            }
            long after = written();
            copyLog();
            return new long[] {before, after};
        }
    }

    private final TreeMap<Path, byte[]> log = new TreeMap<>();

    private void copyLog() throws IOException {
        for (Path file : storage.list(TransactionRig.journal(directory))) {
            try (StorageFile open = storage.openForReading(file)) {
                byte[] bytes = new byte[(int) open.sizeBytes()];
                open.readFully(ByteBuffer.wrap(bytes), 0);
                if (file.toString().endsWith(".seg")) {
                    log.put(file, bytes);
                }
            }
        }
    }

    /** How long the log is: full segments, and what is written of the last one. */
    private long written() throws IOException {
        log.clear();
        copyLog();
        long bytes = 0;
        for (byte[] segment : log.values()) {
            int end = segment.length;
            while (end > 0 && segment[end - 1] == 0) {
                end--;
            }
            bytes = end == 0 ? bytes : bytes + (segment == log.lastEntry().getValue() ? end : segment.length);
        }
        return bytes;
    }

    private List<Long> cuts(long[] sizes) {
        TreeSet<Long> cuts = new TreeSet<>(List.of(sizes[0], sizes[0] + 1, sizes[1] - 1, sizes[1]));
        for (int i = 0; i < CUTS; i++) {
            cuts.add(random.nextLong(sizes[0], sizes[1] + 1));
        }
        for (long near = 1; near < 200; near++) { // where the last entry is
            cuts.add(sizes[1] - near);
        }
        return new ArrayList<>(cuts);
    }

    /** What lies behind the cut was never written. */
    private RecoveredState recover(long cut) throws IOException {
        FaultyStorage disk = new FaultyStorage();
        Path journal = TransactionRig.journal(directory);
        disk.createDirectories(directory);
        disk.createDirectories(journal);
        long left = cut;
        for (Map.Entry<Path, byte[]> segment : log.entrySet()) {
            int length = (int) Math.min(left, segment.getValue().length);
            left -= length;
            if (length >= SEGMENT_HEADER_BYTES) {
                try (StorageFile file = disk.create(segment.getKey())) {
                    file.writeFully(ByteBuffer.wrap(segment.getValue(), 0, length), 0);
                }
            }
        }
        try (FileJournal open = FileJournal.open(disk, journal, TransactionRig.SEGMENT_BYTES)) {
            return new Recovery(open, disk, directory, new Formats(List.of()), NoteState::new, new ManualClock())
                    .read();
        } catch (JournalException e) {
            throw new AssertionError("after " + cut + " bytes", e);
        }
    }

    private static boolean holdsFirst(RecoveredState state) {
        boolean[] found = new boolean[1];
        state.queues().get(0).forEach((number, position, storedBytes, expiry, options) -> found[0] |= number == 1);
        return found[0];
    }
}
