package dev.avocet.core.store.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.SegmentMap;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.store.checkpoint.TakenCheckpoint;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.place.MemoryBudget;
import dev.avocet.core.store.place.MemoryJournal;
import dev.avocet.core.store.place.MessageReads;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.place.StoredMessageReader;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.ManualLoops;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A broker reduced to what the {@link Reclaimer} sees of it: queues on two loops, a journal in memory, checkpoints that
 * are sets of positions. At every drop it is checked that nobody can miss the segment.
 */
public final class StoreRig {
    static final int LOOPS = 2;
    private static final TopicName TOPIC = TopicName.of("a/b");

    final ManualLoops loops = new ManualLoops(LOOPS);
    final ManualClock clock = loops.clock();
    final MemoryJournal journal;
    final SegmentTable table = new SegmentTable(this::map);
    final ManualReclaimThread thread = new ManualReclaimThread(clock);
    final List<HeldQueue> queues = new ArrayList<>();
    /** The two newest, the older one first. */
    final List<Snapshot> checkpoints = new ArrayList<>();

    final List<Throwable> failures = new ArrayList<>();
    final Formats formats = new Formats(List.of());
    final Reclaimer reclaimer;
    final StoredMessageReader reader;
    final MemoryBudget memory = new MemoryBudget(1 << 20, new MemoryGuard());

    long oldestNeeded = Long.MAX_VALUE;
    boolean diskShort;
    boolean failsCheckpoints;
    /** Never answers who is still there. */
    boolean loopsAreSilent;
    /** Whether a search finds each survivor twice, as when queues change loops meanwhile. */
    boolean findsTwice;
    /** What happens while a checkpoint is being taken. */
    Runnable duringCheckpoint = () -> {};

    /** How often somebody asked who is still there. */
    int searches;

    /** Moves that were asked for and are not durable yet, and the most that ever were. */
    int openMoves;

    int openMovesMax;

    private long nextReference = 1;

    StoreRig(int segmentBytes, ReclaimSettings settings) {
        journal = new MemoryJournal(segmentBytes);
        journal.onDrop(this::onDrop);
        for (int i = 0; i < 2 * LOOPS; i++) {
            queues.add(new HeldQueue(this, i + 1, loops.io(i % LOOPS)));
        }
        reader =
                new StoredMessageReader(new MessageReads(journal, formats, clock), table, failures::add, Runnable::run);
        StoreSurroundings surroundings =
                new StoreSurroundings(this::checkpoint, this::find, () -> oldestNeeded, () -> diskShort, failures::add);
        MessageReads reads = new MessageReads(journal, formats, clock);
        reclaimer = new Reclaimer(journal, table, reads, surroundings, settings, clock, thread);
        reclaimer.start();
    }

    /** Small segments, short times. */
    static ReclaimSettings settings() {
        return new ReclaimSettings(Duration.ofSeconds(30), 4, 20, 1L << 30, Duration.ofSeconds(60));
    }

    private SegmentMap map() {
        return journal.map();
    }

    StoreStatistics statistics() {
        return reclaimer.statistics(reader, memory, 0);
    }

    Message message(int payloadBytes) {
        byte[] payload = new byte[payloadBytes];
        for (int i = 0; i < payloadBytes; i++) {
            payload[i] = (byte) (nextReference + i);
        }
        return new Message(
                TOPIC,
                QualityOfService.AT_LEAST_ONCE,
                false,
                payload,
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
    }

    /** One message that these queues take; the references that they hold then. */
    List<HeldReference> publish(int payloadBytes, HeldQueue... takers) {
        return publish(message(payloadBytes), takers);
    }

    List<HeldReference> publish(Message message, HeldQueue... takers) {
        long first = nextReference;
        nextReference += takers.length;
        StoredPlace place = write(EntryKind.MESSAGE, message, first, takers);
        List<HeldReference> held = new ArrayList<>();
        for (int i = 0; i < takers.length; i++) {
            held.add(takers[i].hold(first + i, place, message.payload()));
        }
        return held;
    }

    /** Writes an entry as a record of its own. */
    StoredPlace write(EntryKind kind, Message message, long firstReference, HeldQueue... takers) {
        RecordBuffer record = new RecordBuffer(256);
        record.reset(0);
        EntryWriter out = new EntryWriter(record);
        out.begin(kind);
        out.messageHead(message, false, EntryFormat.NO_TRANSACTION, takers.length, 0);
        for (int i = 0; i < takers.length; i++) {
            out.target(takers[i].id(), firstReference + i, null);
        }
        out.content(message);
        int bytes = out.endMessage();
        long position = journal.append(record.array(), record.length());
        table.appended(FilePlace.segment(position), takers.length, (long) takers.length * bytes);
        return new StoredPlace(position, bytes);
    }

    /** Lets time pass in steps of the reclaimer's passes, doing everything that comes up. */
    void advance(Duration duration) {
        long endNs = clock.nanoTime() + duration.toNanos();
        work();
        while (clock.nanoTime() < endNs) {
            clock.advance(Duration.ofNanos(Math.min(50_000_000, endNs - clock.nanoTime())));
            work();
        }
    }

    /** Does what is to be done now. */
    void work() {
        do {
            loops.settle();
        } while (thread.runOne());
    }

    /** As many checkpoints as make old what there is now. */
    void becomeOld() {
        for (int i = 0; i < 2; i++) {
            reclaimer.requestCheckpoint();
            advance(Duration.ofSeconds(2));
        }
    }

    Set<Integer> heldSegments() {
        Set<Integer> held = new HashSet<>();
        for (HeldQueue queue : queues) {
            queue.references().forEach(reference -> held.add(FilePlace.segment(reference.position())));
        }
        return held;
    }

    long heldBytes() {
        return queues.stream()
                .flatMap(queue -> queue.references().stream())
                .mapToLong(HeldReference::storedBytes)
                .sum();
    }

    /** Everything held can be read and is what was published. */
    void shouldHoldWhatWasPublished() {
        MessageReads reads = new MessageReads(journal, formats, clock);
        for (HeldQueue queue : queues) {
            for (HeldReference reference : queue.references()) {
                @Nullable StoredMessage[] read = new StoredMessage[1];
                reads.read(
                        new long[] {reference.position()},
                        new int[] {reference.storedBytes()},
                        1,
                        read,
                        (position, cause) -> failures.add(cause));
                assertThat(failures).isEmpty();
                StoredMessage message = read[0];
                assertThat(message).isNotNull();
                assertThat(message.payload()).isEqualTo(reference.payload());
            }
        }
    }

    private TakenCheckpoint checkpoint() throws IOException {
        if (failsCheckpoints) {
            throw new IOException("no room for a checkpoint");
        }
        long position = journal.end();
        duringCheckpoint.run();
        Set<Long> named = new HashSet<>();
        for (HeldQueue queue : queues) {
            queue.references().forEach(reference -> named.add(reference.position()));
        }
        duringCheckpoint.run();
        checkpoints.add(new Snapshot(position, named));
        if (checkpoints.size() > 2) {
            checkpoints.remove(0);
        }
        return new TakenCheckpoint(checkpoints.size(), position);
    }

    private void find(int segment, int limit, Survivors.Answer answer) {
        searches++;
        if (loopsAreSilent) {
            return;
        }
        List<Survivor> found = new ArrayList<>();
        for (HeldQueue queue : queues) {
            queue.references().stream()
                    .filter(reference -> FilePlace.segment(reference.position()) == segment)
                    .forEach(reference -> found.add(new Survivor(
                            queue, reference.number(), reference.position(), reference.storedBytes(), null)));
        }
        if (findsTwice) {
            found.addAll(List.copyOf(found));
        }
        answer.onFound(found.size() > limit ? found.subList(0, limit) : found);
    }

    private void onDrop(int segment) {
        assertThat(heldSegments()).as("segments that are alive").doesNotContain(segment);
        assertThat(segment).as("the segment that is dropped").isLessThan(FilePlace.segment(oldestNeeded));
        assertThat(checkpoints).as("checkpoints that are kept").hasSize(2);
        for (Snapshot checkpoint : checkpoints) {
            assertThat(segment).as("the segment that is dropped").isLessThan(FilePlace.segment(checkpoint.replayFrom));
            assertThat(checkpoint.named)
                    .as("references that a checkpoint names")
                    .noneMatch(position -> FilePlace.segment(position) == segment);
        }
    }

    /** Where an entry lies. */
    public record StoredPlace(long position, int bytes) {}

    /** A checkpoint: from where to replay, and which positions it names. */
    record Snapshot(long replayFrom, Set<Long> named) {}
}
