package dev.avocet.core.store.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.SegmentMaps;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.entry.ReversedProperties;
import dev.avocet.core.store.reclaim.StoreRig.StoredPlace;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StoredMessageReaderTest {
    private static final SegmentMap MAP = SegmentMaps.upTo(100);

    private final ManualClock clock = new ManualClock();
    private final MemoryJournal journal = new MemoryJournal(1 << 20);
    private final SegmentTable table = new SegmentTable(() -> MAP);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> loopTasks = new ConcurrentLinkedQueue<>();
    private final IoLoop loop = new IoLoop(0, loopTasks::add, () -> true, clock, new MemoryGuard());
    private final MessageReads reads =
            new MessageReads(journal, new Formats(List.of(ReversedProperties.properties())), clock);
    private final StoreReaderThread thread = new StoreReaderThread();
    private final StoredMessageReader reader = new StoredMessageReader(reads, table, failures::add, thread);
    private final List<StoredPlace> places = new ArrayList<>();
    private final List<Message> written = new ArrayList<>();

    @AfterEach
    void close() {
        thread.close();
    }

    @Test
    void shouldReadNeighboursAtOnceAndAnswerInOneTask() {
        // given
        for (int i = 0; i < 1000; i++) {
            write(message("a/" + i, 100));
        }

        // when
        @Nullable Message[] answer = fetch(places);

        // then about 150 KB make one read
        assertThat(journal.reads()).isEqualTo(1);
        assertThat(answer).hasSize(1000);
        for (int i = 0; i < answer.length; i++) {
            shouldBe(answer[i], i);
        }
        assertThat(reads.messages()).isEqualTo(1000);
        assertThat(reads.bytes())
                .isEqualTo(places.stream().mapToLong(StoredPlace::bytes).sum());
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldReadInPiecesWhatLiesApartOrIsMuch() {
        // given
        write(message("near", 100));
        write(message("gap", 100_000));
        write(message("far", 100));
        write(message("large", 300_000));
        journal.roll();
        write(message("elsewhere", 100));

        // when
        @Nullable Message[] answer = fetch(List.of(places.get(0), places.get(2), places.get(3), places.get(4)));

        // then
        assertThat(journal.reads()).isEqualTo(4);
        shouldBe(answer[0], 0);
        shouldBe(answer[1], 2);
        shouldBe(answer[2], 3);
        shouldBe(answer[3], 4);
    }

    @Test
    void shouldReadTheSameAndEarlierPlacesToo() {
        // given
        write(message("first", 10));
        write(message("second", 20));

        // when
        @Nullable Message[] answer = fetch(List.of(places.get(1), places.get(1), places.get(0)));

        // then
        shouldBe(answer[0], 1);
        shouldBe(answer[1], 1);
        shouldBe(answer[2], 0);
    }

    @Test
    void shouldGiveBackEverythingOfAMessage() {
        // given
        Message full = new Message(
                TopicName.of("some/ü/topic"),
                QualityOfService.EXACTLY_ONCE,
                true,
                new byte[] {1, 2, 3},
                new ReversedProperties("user property"),
                clock.nanoTime() + Duration.ofSeconds(30).toNanos(),
                "client ü");
        write(full);
        clock.advance(Duration.ofSeconds(10));

        // when
        StoredMessage read = (StoredMessage) fetch(places)[0];

        // then
        assertThat(read).isNotNull();
        assertThat(read.topic()).isEqualTo(full.topic());
        assertThat(read.qos()).isEqualTo(QualityOfService.EXACTLY_ONCE);
        assertThat(read.retain()).isTrue();
        assertThat(read.payload()).containsExactly(1, 2, 3);
        assertThat(read.publisher()).isEqualTo("client ü");
        assertThat(read.expiryDeadlineNs()).isEqualTo(full.expiryDeadlineNs());
        assertThat(read.properties()).isEqualTo(new ReversedProperties("user property"));
        assertThat(read.position()).isEqualTo(places.get(0).position());
        assertThat(read.storedBytes()).isEqualTo(places.get(0).bytes());
    }

    @Test
    void shouldReportTheFirstFailureOnceAndGiveTheOthers() {
        // given
        for (int i = 0; i < 10; i++) {
            write(message("a/" + i, 100));
        }
        journal.makeUnreadable(places.get(3).position() + 20);
        journal.makeUnreadable(places.get(7).position() + 20);

        // when
        @Nullable Message[] answer = fetch(places);

        // then
        assertThat(failures)
                .singleElement()
                .isInstanceOf(JournalException.class)
                .asString()
                .contains("the message at ", " cannot be read back: ", "broker-admin store verify");
        for (int i = 0; i < answer.length; i++) {
            if (i == 3 || i == 7) {
                assertThat(answer[i]).isNull();
            } else {
                shouldBe(answer[i], i);
            }
        }
    }

    @Test
    void shouldReportAPlaceWhereNoMessageLies() {
        // given
        write(message("a", 100));
        write(message("b", 100));
        StoredPlace wrong =
                new StoredPlace(places.get(0).position() + 1, places.get(0).bytes());
        StoredPlace wrongSize =
                new StoredPlace(places.get(1).position(), places.get(1).bytes() - 1);

        // when
        @Nullable Message[] answer = fetch(List.of(wrong, wrongSize, places.get(1)));

        // then
        assertThat(answer[0]).isSameAs(QueueStore.DAMAGED);
        assertThat(answer[1]).isSameAs(QueueStore.DAMAGED);
        shouldBe(answer[2], 1);
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldNotGiveAMessageOfWhichAnyBitHasChanged() {
        // given
        write(message("before", 40));
        write(message("damaged", 40));
        write(message("behind", 40));
        StoredPlace damaged = places.get(1);
        long[] positions = places.stream().mapToLong(StoredPlace::position).toArray();
        int[] bytes = places.stream().mapToInt(StoredPlace::bytes).toArray();

        for (int bit = 0; bit < damaged.bytes() * Byte.SIZE; bit++) {
            // when
            long position = damaged.position() + bit / Byte.SIZE;
            journal.damage(position, 1 << bit % Byte.SIZE);
            @Nullable StoredMessage[] answer = new StoredMessage[3];
            List<JournalException> causes = new ArrayList<>();
            reads.read(positions, bytes, 3, answer, (place, cause) -> causes.add(cause));
            journal.damage(position, 1 << bit % Byte.SIZE);

            // then
            shouldBe(answer[0], 0);
            assertThat(answer[1]).isNull();
            shouldBe(answer[2], 2);
            assertThat(causes).hasSize(1).hasOnlyElementsOfType(DamagedMessageException.class);
        }
    }

    @Test
    void shouldNotMindThatADeadSegmentIsGone() throws JournalException {
        // given
        write(message("a", 100));
        journal.roll();
        table.release(places.get(0).position(), places.get(0).bytes());
        journal.drop(1);

        // when
        @Nullable Message[] answer = fetch(places);

        // then
        assertThat(answer[0]).isNull();
        assertThat(failures).isEmpty();
    }

    @Test
    void shouldGoOnWhenALoopHasEnded() {
        // given
        write(message("a", 100));
        IoLoop ended = new IoLoop(
                1,
                task -> {
                    throw new RejectedExecutionException();
                },
                () -> true,
                clock,
                new MemoryGuard());

        // when
        StoredPlace place = places.get(0);
        reader.fetch(new long[] {place.position()}, new int[] {place.bytes()}, 1, ended, messages -> {});
        @Nullable Message[] answer = fetch(places);

        // then
        shouldBe(answer[0], 0);
        assertThat(failures).isEmpty();
    }

    private @Nullable Message[] fetch(List<StoredPlace> wanted) {
        List<@Nullable Message[]> answers = new ArrayList<>();
        long[] positions = wanted.stream().mapToLong(StoredPlace::position).toArray();
        int[] bytes = wanted.stream().mapToInt(StoredPlace::bytes).toArray();
        reader.fetch(positions, bytes, wanted.size(), loop, answers::add);
        await().until(() -> !loopTasks.isEmpty());
        loopTasks.remove().run();
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private void shouldBe(@Nullable Message message, int index) {
        assertThat(message).isNotNull();
        assertThat(message.topic()).isEqualTo(written.get(index).topic());
        assertThat(message.payload()).isEqualTo(written.get(index).payload());
    }

    private Message message(String topic, int payloadBytes) {
        byte[] payload = new byte[payloadBytes];
        payload[payloadBytes / 2] = (byte) topic.length();
        return new Message(
                TopicName.of(topic),
                QualityOfService.AT_LEAST_ONCE,
                false,
                payload,
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
    }

    private void write(Message message) {
        RecordBuffer record = new RecordBuffer(256);
        EntryWriter out = new EntryWriter(record);
        out.begin(EntryKind.MESSAGE);
        long expiryWallMs = message.expires() ? MessageEntry.wallMs(message.expiryDeadlineNs(), clock) : 0;
        out.messageHead(message, false, EntryFormat.NO_TRANSACTION, 2, expiryWallMs);
        out.target(1, places.size(), null);
        out.target(2, 5, new DeliveryOptions(QualityOfService.AT_LEAST_ONCE, true, false, new int[] {7, 300}));
        out.content(message);
        int bytes = out.endMessage();
        long position = journal.append(record.array(), record.length());
        table.appended(journal.current(), 1, bytes);
        places.add(new StoredPlace(position, bytes));
        written.add(message);
    }
}
