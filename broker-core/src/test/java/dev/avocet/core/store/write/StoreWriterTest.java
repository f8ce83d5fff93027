package dev.avocet.core.store.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.SegmentMaps;
import dev.avocet.core.journal.commit.CommitListener;
import dev.avocet.core.journal.commit.CommitSetup;
import dev.avocet.core.journal.commit.GroupCommit;
import dev.avocet.core.journal.disk.DiskSpace;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualLoops;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With the smallest segments that can be configured. */
final class StoreWriterTest {
    private static final SegmentMap MAP = SegmentMaps.upTo(100);

    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int LARGEST_MESSAGE_BYTES = SEGMENT_BYTES / 4;
    private static final Path DIRECTORY = Path.of("/journal");

    private final ManualLoops loops = new ManualLoops(1);
    private final FaultyStorage storage = new FaultyStorage();
    private final SegmentTable segments = new SegmentTable(() -> MAP);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Long> positions = new ArrayList<>();
    private FileJournal journal;
    private GroupCommit commit;
    private StoreWriter writer;
    private boolean done;

    @BeforeEach
    void open() throws JournalException {
        journal = FileJournal.open(storage, DIRECTORY, SEGMENT_BYTES);
        journal.scan(Position.BEGINNING, (position, bytes, offset, length) -> {});
        commit = new GroupCommit(new CommitSetup(
                journal, CommitMode.SYNC, 1, 1, JournalLimits.DEFAULT, new Listener(), new Disk(), new SystemClock()));
        commit.start();
        writer = new StoreWriter(loops.io(0), commit, segments);
    }

    @AfterEach
    void close() {
        commit.close();
        journal.close();
    }

    @Test
    void shouldSplitAcknowledgementsThatNoRecordTakes() throws JournalException {
        // given
        int queues = 200;
        int perQueue = 2_000;
        segments.appended(1, queues * perQueue, 10L * queues * perQueue);

        // when
        loops.on(0, () -> {
            for (long queue = 1; queue <= queues; queue++) {
                for (long i = 0; i < perQueue; i++) {
                    writer.acknowledged(queue, queue << 40 | 3 * i * 100_000, FilePlace.of(1, 64), 10);
                }
            }
            writer.afterCommit(position -> done = true);
        });
        settleUntil(() -> done && segments.live(1) == 0);

        // then
        assertThat(failures).isEmpty();
        assertThat(records()).isGreaterThan(1);
    }

    @Test
    void shouldAnswerNobodyBeforeAllThatBelongsTogetherIsDurable() {
        // given
        List<Integer> order = new ArrayList<>();

        // when
        loops.on(0, () -> {
            publish(100, 1, () -> order.add(1));
            writer.afterCommit(position -> order.add(2));
            for (long i = 0; i < 500_000; i++) {
                writer.acknowledged(1, 3 * i * 100_000, FilePlace.of(7, 64), 10);
            }
            writer.afterCommit(position -> {
                order.add(3);
                assertThat(positions)
                        .as("where the message lies")
                        .allMatch(at -> journal.map().segmentOf(at) == 1);
            });
        });
        settleUntil(() -> order.size() == 3);

        // then
        assertThat(order).containsExactly(1, 2, 3);
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldHaveRoomForTheLargestMessageBehindWhatIsNotEnough() {
        // given
        int[] committed = {0};

        // when
        loops.on(0, () -> {
            for (int i = 0; i < 500; i++) {
                publish(1_000, 1, () -> committed[0]++);
            }
            publish(LARGEST_MESSAGE_BYTES, 20_000, () -> committed[0]++);
            publish(LARGEST_MESSAGE_BYTES, 1, () -> committed[0]++);
            for (int i = 0; i < 4; i++) {
                writer.begin(EntryKind.PROTOCOL).bytes(new byte[LARGEST_MESSAGE_BYTES], 0, LARGEST_MESSAGE_BYTES);
                writer.end();
            }
        });
        settleUntil(() -> committed[0] == 502);

        // then
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldTakeTheLargestMessageAndRefuseWhatNoRecordTakes() {
        assertThat(writer.takes(message(LARGEST_MESSAGE_BYTES), 20_000)).isTrue();
        assertThat(writer.takes(message(LARGEST_MESSAGE_BYTES), 30_000)).isFalse();
    }

    private void publish(int payloadBytes, int targets, Runnable then) {
        Message message = message(payloadBytes);
        writer.beginMessage(message, false, targets);
        for (int i = 0; i < targets; i++) {
            writer.target(Long.MAX_VALUE - i, Long.MAX_VALUE - i, null);
        }
        writer.endMessage(message, targets, new EntryAction() {
            @Override
            protected void onCommitted(long position, int bytes) {
                positions.add(position);
                then.run();
            }
        });
    }

    private static Message message(int payloadBytes) {
        return new Message(
                TopicName.of("a/b"),
                QualityOfService.AT_LEAST_ONCE,
                false,
                new byte[payloadBytes],
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
    }

    private void settleUntil(BooleanSupplier condition) {
        await().until(() -> {
            loops.settle();
            return condition.getAsBoolean() || !failures.isEmpty();
        });
    }

    private int records() throws JournalException {
        int[] count = {0};
        try (FileJournal again = FileJournal.open(storage, DIRECTORY, SEGMENT_BYTES)) {
            again.scan(Position.BEGINNING, (position, bytes, offset, length) -> count[0]++);
        }
        return count[0];
    }

    private static final class Disk implements DiskSpace {
        @Override
        public long freeBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public long totalBytes() {
            return Long.MAX_VALUE;
        }
    }

    private final class Listener implements CommitListener {
        @Override
        public void onAppended(int segment, int references, long referencedBytes) {}

        @Override
        public void onMessagesAccepted(boolean accepted, String lack) {}

        @Override
        public void onFailure(Throwable cause) {
            failures.add(cause);
        }
    }
}
