package dev.avocet.core.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.entry.ReversedProperties;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.EntryReplay;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.RandomSuite;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever stands in a record, nothing but a {@link JournalException} comes of it, and not much memory is taken. */
class EntryFuzzTest {
    private static final Formats FORMATS = new Formats(List.of(ReversedProperties.properties()));
    private static final int ROUNDS = RandomSuite.share(20_000);

    private final SplittableRandom random = new SplittableRandom(7);

    @Test
    void shouldWithstandFlippedBits() {
        byte[] whole = everyKind();
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = whole.clone();
            for (int flips = random.nextInt(1, 6); flips > 0; flips--) {
                bytes[random.nextInt(RecordHeader.BYTES, bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            refused += replay(bytes) ? 0 : 1;
        }
        assertThat(refused).isPositive().isLessThan(ROUNDS);
    }

    @Test
    void shouldWithstandGarbageInEntriesOfEveryKind() {
        for (EntryKind kind : EntryKind.values()) {
            for (int round = 0; round < ROUNDS / 10; round++) {
                int length = random.nextInt(200);
                byte[] bytes = new byte[RecordHeader.BYTES + EntryFormat.PREFIX_BYTES + length];
                random.nextBytes(bytes);
                if (round % 2 == 0) {
                    for (int i = RecordHeader.BYTES; i < bytes.length; i++) {
                        bytes[i] &= 0x07; // small numbers lead further
                    }
                }
                bytes[RecordHeader.BYTES] = (byte) kind.number();
                for (int i = 0; i < 4; i++) {
                    bytes[RecordHeader.BYTES + 1 + i] = (byte) (length >> 8 * i);
                }
                replay(bytes);
                readMessage(bytes);
            }
        }
    }

    @Test
    void shouldWithstandGarbage() {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[RecordHeader.BYTES + random.nextInt(100)];
            random.nextBytes(bytes);
            replay(bytes);
        }
    }

    @Test
    void shouldWithstandRecordsThatEndTooEarly() {
        byte[] whole = everyKind();
        for (int length = RecordHeader.BYTES; length < whole.length; length++) {
            replay(Arrays.copyOf(whole, length));
        }
    }

    @Test
    void shouldWithstandGarbageInBlocksOfACheckpoint() {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(1, 100)];
            random.nextBytes(bytes);
            if (round % 2 == 0) {
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] &= 0x0F;
                }
            }
            RecoveredState state = new RecoveredState();
            RecordReader in = new RecordReader().over(bytes, 0, bytes.length);
            attempt(() -> new ReferencePieces(state, in, new EntryReader(in, FORMATS)).read());
            RecordReader transactions = new RecordReader().over(bytes, 0, bytes.length);
            attempt(() -> new TransactionPieces(state, transactions, new EntryReader(transactions, FORMATS)).read());
            attempt(() -> CheckpointHeader.read(new RecordReader().over(bytes, 0, bytes.length), false));
            attempt(() -> CheckpointCounts.read(new RecordReader().over(bytes, 0, bytes.length)));
        }
    }

    /** True when it could be read. */
    private static boolean replay(byte[] bytes) {
        RecoveredState state = new RecoveredState();
        EntryReplay replay = new EntryReplay(state, FORMATS, NoteState::new);
        boolean read = attempt(() -> replay.apply(1L << 32, bytes, 0, bytes.length));
        state.complete(new ScanResult(0, 0, 0, 0));
        return read;
    }

    private static void readMessage(byte[] bytes) {
        attempt(() -> {
            RecordReader in =
                    new RecordReader().over(bytes, RecordHeader.BYTES + EntryFormat.PREFIX_BYTES, bytes.length);
            EntryReader entries = new EntryReader(in, FORMATS);
            MessageEntry head = MessageEntry.readHead(in);
            for (int i = 0; i < head.targets(); i++) {
                MessageEntry.readTarget(entries);
            }
            head.readMessage(entries, new SystemClock());
        });
    }

    private static boolean attempt(Attempt attempt) {
        try {
            attempt.run();
            return true;
        } catch (JournalException e) {
            return false;
        } catch (RuntimeException e) {
            return fail("only journal exceptions are expected", e);
        }
    }

    private static byte[] everyKind() {
        EntryLog log = new EntryLog()
                .numbered(EntryKind.EPOCH, 4711)
                .session(1, "client", 60, 4711, EntryLog.will("will"))
                .subscription(1, "a/+", null, 4)
                .subscription(1, "b/#", "group", 5)
                .protocol(1, NoteState.entry(NoteState.ADD, 1))
                .message(4, 1)
                .message(5, 300)
                .message(EntryKind.MESSAGE, true, 3, 4711, 2)
                .target(4, 2, EntryLog.options(1))
                .target(5, 301, null)
                .endMessage("retained", new byte[30])
                .acknowledgeIn(3, 4, 1, 5, 6)
                .prepare(3, (byte) 1, (byte) 2)
                .numbered(EntryKind.TRANSACTION_COMMIT, 3)
                .numbered(EntryKind.TRANSACTION_BEGIN, 4)
                .numbered(EntryKind.TRANSACTION_ROLLBACK, 4)
                .retainedMove("retained", 4711)
                .message(EntryKind.MOVE, false, 0, EntryLog.NEVER, 1)
                .target(4, 1, null)
                .endMessage("moved", new byte[3])
                .delivered(2, 4, 1, 2, 9)
                .acknowledge(4, 1, 2, 3, 7, 9)
                .enqueue(4, 8, EntryLog.options(1), 1L << 32 | 64, 50, 4711)
                .enqueue(4, 10, null, 1L << 32 | 64, 50, EntryLog.NEVER)
                .retainedRemoved("retained")
                .unsubscription(1, "a/+")
                .numbered(EntryKind.CHECKPOINT, 1)
                .sessionEnded(1);
        byte[] bytes = Arrays.copyOf(log.buffer().array(), log.offset());
        assertThat(replay(bytes)).isTrue();
        return bytes;
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws JournalException;
    }
}
