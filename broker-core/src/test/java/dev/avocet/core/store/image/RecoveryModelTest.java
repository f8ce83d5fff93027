package dev.avocet.core.store.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.ScanResult;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.queue.reference.QueueSnapshot;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import dev.avocet.core.store.checkpoint.CheckpointReader;
import dev.avocet.core.store.checkpoint.CheckpointRig;
import dev.avocet.core.store.checkpoint.CheckpointWriter;
import dev.avocet.core.store.checkpoint.FakeQueueSnapshot;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.SessionSnapshot;
import dev.avocet.core.store.image.RecoveryModel.Place;
import dev.avocet.core.store.image.RecoveryModel.Reference;
import dev.avocet.core.store.image.RecoveryModel.Session;
import dev.avocet.core.store.image.RecoveryModel.Subscription;
import dev.avocet.core.store.image.RecoveryModel.Transaction;
import dev.avocet.core.store.replay.EntryLog;
import dev.avocet.core.store.replay.EntryReplay;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.PendingMessage;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.store.replay.Rendering;
import dev.avocet.testkit.FaultyStorage;
import dev.avocet.testkit.ManualClock;
import dev.avocet.testkit.RandomSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Several lives of a broker whose two loops write what comes into their minds, while checkpoints are taken piece by
 * piece. Wherever the log is cut between two records, recovery finds what the log says; so it does when the newest
 * checkpoint is damaged.
 */
class RecoveryModelTest {
    private static final Path DATA = Path.of("/data");
    private static final Path JOURNAL = Path.of("/data/journal");
    private static final Formats FORMATS = new Formats(List.of());
    private static final int SEEDS = 240;
    private static final int STEPS = 600;
    private static final List<String> TOPICS = List.of("a", "a/b", "c", "d");
    private static final List<String> KEYS = List.of("k1", "k2", "k3/#");
    private static final int LOOPS = 2;

    private SplittableRandom random = new SplittableRandom(0);
    private FaultyStorage storage = new FaultyStorage();
    private ManualClock clock = new ManualClock();
    private @Nullable FileJournal journal;
    private List<Loop> loops = List.of();
    private RecoveryModel log = new RecoveryModel();
    private RecoveryModel memory = new RecoveryModel();
    private final Map<Long, Long> numbers = new HashMap<>();
    /** What was retained by the transactions that have taken effect since the last checkpoint was begun. */
    private final Map<Long, RecoveredTransaction> endedTransactions = new HashMap<>();

    private int epoch;
    private long sequence;
    private long nextId;

    private long nextCheckpoint;
    private @Nullable Attempt attempt;
    private final List<Attempt> kept = new ArrayList<>();
    private long dropped;
    private long enqueued;
    private long checkpoints;
    private long writtenWithCheckpoints;
    private long committed;

    @Test
    void shouldRecoverWhatTheLogSays() {
        for (long seed : RandomSuite.seeds(SEEDS)) {
            play(seed);
        }
        for (long seed = 0; !hasSeenAll() && seed < SEEDS; seed++) {
            play(seed);
        }
        assertThat(hasSeenAll()).isTrue();
    }

    private void play(long seed) {
        try {
            runLives(seed);
        } catch (AssertionError | JournalException | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    /** What happens seldom has happened. */
    private boolean hasSeenAll() {
        return checkpoints > 0 && dropped > 0 && enqueued > 0 && writtenWithCheckpoints > 0 && committed > 0;
    }

    private void runLives(long seed) throws JournalException {
        random = new SplittableRandom(seed);
        storage = new FaultyStorage();
        clock = new ManualClock();
        log = new RecoveryModel();
        memory = new RecoveryModel();
        numbers.clear();
        kept.clear();
        endedTransactions.clear();
        attempt = null;
        sequence = 0;
        epoch = 0;
        nextId = 1;
        nextCheckpoint = 1;
        begin();
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        crash();
    }

    private void step() throws JournalException {
        Loop loop = loops.get(random.nextInt(LOOPS));
        int choice = random.nextInt(1000);
        if (choice < 150) {
            append(loop);
        } else if (choice < 160) {
            attempt = null;
            crash();
        } else if (choice < 240) {
            advanceCheckpoint();
        } else if (choice < 250) {
            drop();
        } else if (choice < 280) {
            verify();
        } else {
            write(loop, random.nextInt(100));
            for (Loop each : loops) {
                if (each.appendSoon) {
                    append(each);
                }
            }
        }
    }

    private void write(Loop loop, int choice) {
        if (choice < 30) {
            publish(loop);
        } else if (choice < 48) {
            acknowledge(loop);
        } else if (choice < 53) {
            move(loop);
        } else if (choice < 58) {
            retain(loop);
        } else if (choice < 62) {
            enqueue(loop);
        } else if (choice < 67) {
            transact(loop);
        } else {
            session(choice);
        }
    }

    // what a session does, it does on its loop

    private void session(int choice) {
        if (memory.sessions.isEmpty() || choice < 72) {
            describe(nextId++);
            return;
        }
        long id = pick(memory.sessions.keySet());
        if (choice < 77) {
            describe(id);
        } else if (choice < 85) {
            subscribe(id);
        } else if (choice < 88) {
            unsubscribe(id);
        } else if (choice < 97) {
            note(id);
        } else {
            Loop loop = home(id);
            loop.entries.sessionEnded(id);
            both(loop, model -> model.endSession(id));
            memory.queues.keySet().retainAll(memory.named());
        }
    }

    private void describe(long id) {
        long expiry = random.nextInt(100);
        long gone = random.nextInt(3) == 0 ? 0 : random.nextInt(1, 1000);
        String will = random.nextInt(2) == 0 ? "" : "will";
        Loop loop = home(id);
        loop.entries.session(id, "client" + id, expiry, gone, will.isEmpty() ? null : EntryLog.will(will));
        both(loop, model -> {
            Session session = model.sessions.computeIfAbsent(id, key -> new Session());
            session.expirySeconds = expiry;
            session.goneWallMs = gone;
            session.will = will;
        });
    }

    private void subscribe(long id) {
        String key = pick(KEYS);
        Subscription present = memory.sessions.get(id).subscriptions.get(key);
        boolean shared = present == null ? random.nextBoolean() : present.group() != null;
        Subscription subscription = present != null
                ? present
                : new Subscription(shared ? "group" : null, shared ? sharedQueue(key) : nextId++);
        memory.queue(subscription.queue());
        Loop loop = home(id);
        loop.entries.subscription(id, key, subscription.group(), subscription.queue());
        both(loop, model -> {
            Session session = model.sessions.get(id);
            if (session != null) {
                session.subscriptions.put(key, subscription);
            }
        });
    }

    private long sharedQueue(String key) {
        for (Session session : memory.sessions.values()) {
            Subscription its = session.subscriptions.get(key);
            if (its != null && its.group() != null) {
                return its.queue();
            }
        }
        return nextId++;
    }

    private void unsubscribe(long id) {
        Set<String> keys = memory.sessions.get(id).subscriptions.keySet();
        if (keys.isEmpty()) {
            return;
        }
        String key = pick(keys);
        Loop loop = home(id);
        loop.entries.unsubscription(id, key);
        both(loop, model -> model.sessions.get(id).subscriptions.remove(key));
        memory.queues.keySet().retainAll(memory.named());
    }

    private void note(long id) {
        Set<Integer> notes = memory.sessions.get(id).notes;
        boolean remove = !notes.isEmpty() && random.nextBoolean();
        int note = remove ? pick(notes) : (int) nextId++;
        Loop loop = home(id);
        loop.entries.protocol(id, NoteState.entry(remove ? NoteState.REMOVE : NoteState.ADD, note));
        both(loop, model -> {
            Set<Integer> its = model.sessions.get(id).notes;
            if (remove) {
                its.remove(note);
            } else {
                its.add(note);
            }
        });
    }

    // messages come to their queues when they are committed

    private void publish(Loop loop) {
        publish(loop, 0);
    }

    private void publish(Loop loop, long transaction) {
        List<Long> queues = new ArrayList<>(memory.queues.keySet());
        queues.removeIf(queue -> random.nextInt(3) == 0);
        boolean retained = random.nextInt(6) == 0;
        String topic = pick(TOPICS);
        byte[] payload = new byte[retained && random.nextInt(4) == 0 ? 0 : random.nextInt(1, 400)];
        long expiry = random.nextInt(4) == 0 ? clock.wallTimeMs() + random.nextInt(10_000) : EntryLog.NEVER;
        int at = loop.entries.offset();
        loop.entries.message(EntryKind.MESSAGE, retained, transaction, expiry, queues.size());
        Map<Long, Long> given = new HashMap<>();
        Map<Long, DeliveryOptions> options = new HashMap<>();
        for (long queue : queues) {
            given.put(queue, numbers.merge(queue, 1L, Long::sum));
            options.put(queue, random.nextInt(4) == 0 ? EntryLog.options(random.nextInt(3)) : null);
            loop.entries.target(queue, given.get(queue), options.get(queue));
        }
        loop.entries.endMessage(topic, payload);
        int bytes = loop.entries.offset() - at;
        loop.onAppend(position -> {
            Consumer<RecoveryModel> effect = model -> {
                given.forEach((queue, number) ->
                        model.put(queue, number, new Reference(position + at, bytes, expiry, options.get(queue))));
                if (retained && payload.length == 0) {
                    model.retained.remove(topic);
                } else if (retained) {
                    model.retained.put(topic, new Place(position + at, bytes));
                }
            };
            List<PendingMessage.Target> targets = queues.stream()
                    .map(queue -> new PendingMessage.Target(queue, given.get(queue), options.get(queue)))
                    .toList();
            for (RecoveryModel model : List.of(log, memory)) {
                if (transaction == 0) {
                    effect.accept(model);
                } else {
                    Transaction its = model.transactions.computeIfAbsent(transaction, key -> new Transaction());
                    its.effects.add(effect);
                    its.places.add(new Place(position + at, bytes));
                    its.messages.add(new PendingMessage(
                            position + at,
                            bytes,
                            expiry,
                            retained ? topic : null,
                            retained && payload.length == 0,
                            targets));
                }
            }
            memory.queues.keySet().retainAll(memory.named());
        });
    }

    private void acknowledge(Loop loop) {
        memory.queues.forEach((queue, references) -> {
            List<Long> ended = new ArrayList<>(references.keySet());
            int keep = random.nextInt(5);
            ended.removeIf(number -> random.nextInt(5) < keep);
            if (!ended.isEmpty()) {
                references.keySet().removeAll(ended);
                loop.entries.acknowledge(
                        queue, ended.stream().mapToLong(Long::longValue).toArray());
                loop.onAppend(position -> log.queue(queue).keySet().removeAll(ended));
            }
        });
    }

    private void move(Loop loop) {
        memory.queues.forEach((queue, references) -> {
            if (!references.isEmpty() && random.nextBoolean()) {
                long number = pick(references.keySet());
                int at = loop.entries.offset();
                loop.entries
                        .message(
                                EntryKind.MOVE, false, 0, references.get(number).expiryWallMs(), 1)
                        .target(queue, number, references.get(number).options())
                        .endMessage("moved", new byte[20]);
                int bytes = loop.entries.offset() - at;
                loop.onAppend(position -> {
                    log.move(queue, number, position + at, bytes);
                    memory.move(queue, number, position + at, bytes);
                });
            }
        });
    }

    /**
     * A retained message comes to a queue: at once, and its reference goes down before anybody can end it on another
     * loop.
     */
    private void enqueue(Loop loop) {
        if (memory.retained.isEmpty() || memory.queues.isEmpty()) {
            return;
        }
        Place place = pick(memory.retained.values());
        long queue = pick(memory.queues.keySet());
        long number = numbers.merge(queue, 1L, Long::sum);
        long expiry = random.nextInt(4) == 0 ? clock.wallTimeMs() + random.nextInt(10_000) : EntryLog.NEVER;
        DeliveryOptions options = random.nextBoolean() ? EntryLog.options(random.nextInt(3)) : null;
        Reference reference = new Reference(place.position(), place.storedBytes(), expiry, options);
        loop.entries.enqueue(queue, number, options, place.position(), place.storedBytes(), expiry);
        memory.put(queue, number, reference);
        loop.onAppend(position -> log.put(queue, number, reference));
        loop.appendSoon = true;
        enqueued++;
    }

    private void retain(Loop loop) {
        String topic = pick(TOPICS);
        Place present = memory.retained.get(topic);
        if (present == null || random.nextInt(3) == 0) {
            loop.entries.retainedRemoved(topic);
            loop.onAppend(position -> {
                log.retained.remove(topic);
                memory.retained.remove(topic);
            });
            return;
        }
        int at = loop.entries.offset();
        loop.entries.retainedMove(topic, present.position());
        int bytes = loop.entries.offset() - at;
        loop.onAppend(position -> {
            Place now = new Place(position + at, bytes);
            log.retained.replace(topic, present, now);
            memory.retained.replace(topic, present, now);
        });
    }

    /** All of a transaction comes from one loop. */
    private void transact(Loop loop) {
        if (memory.transactions.isEmpty() || random.nextInt(4) == 0) {
            if (!loop.hasTransaction) {
                loop.hasTransaction = true; // its entries are not committed yet, but are on their way
                long id = nextId++;
                if (home(id) == loop) {
                    loop.entries.numbered(EntryKind.TRANSACTION_BEGIN, id);
                    publish(loop, id);
                    acknowledge(loop, id);
                }
            }
            return;
        }
        long id = pick(memory.transactions.keySet());
        Loop its = home(id);
        boolean prepared = memory.transactions.get(id).branch != null;
        int choice = random.nextInt(5);
        if (choice < 2 && !prepared) {
            publish(its, id);
            acknowledge(its, id);
        } else if (choice == 2 && !prepared) {
            prepare(its, id);
        } else if (choice > 2) {
            end(its, id, choice == 3);
        }
    }

    /** What is acknowledged stays where it is until the transaction is committed. */
    private void acknowledge(Loop loop, long transaction) {
        memory.queues.forEach((queue, references) -> {
            if (!references.isEmpty() && random.nextBoolean()) {
                Set<Long> ended = new TreeSet<>(List.of(pick(references.keySet()), references.firstKey()));
                loop.entries.acknowledgeIn(
                        transaction,
                        queue,
                        ended.stream().mapToLong(Long::longValue).toArray());
                loop.onAppend(position -> {
                    for (RecoveryModel model : List.of(log, memory)) {
                        Transaction its = model.transactions.computeIfAbsent(transaction, key -> new Transaction());
                        its.acknowledged
                                .computeIfAbsent(queue, key -> new TreeSet<>())
                                .addAll(ended);
                        its.effects.add(
                                committed -> committed.queue(queue).keySet().removeAll(ended));
                    }
                });
            }
        });
    }

    private void prepare(Loop loop, long id) {
        byte[] branch = {(byte) id};
        loop.entries.prepare(id, branch);
        memory.transactions.get(id).branch = branch;
        loop.onAppend(position -> {
            if (log.transactions.containsKey(id)) {
                log.transactions.get(id).branch = branch;
            }
        });
        loop.appendSoon = true;
    }

    private void end(Loop loop, long id, boolean commit) {
        loop.entries.numbered(commit ? EntryKind.TRANSACTION_COMMIT : EntryKind.TRANSACTION_ROLLBACK, id);
        loop.onAppend(position -> {
            for (RecoveryModel model : List.of(log, memory)) {
                Transaction its = model.transactions.remove(id);
                if (its != null && commit) {
                    endedTransactions.put(id, its.retained(id));
                    its.effects.forEach(effect -> effect.accept(model));
                    committed += its.effects.size();
                }
            }
            memory.queues.keySet().retainAll(memory.named());
        });
        loop.appendSoon = true;
    }

    // checkpoints

    private void advanceCheckpoint() throws JournalException {
        Attempt running = attempt;
        if (running == null) {
            beginCheckpoint();
        } else if (!running.hasTransactions) {
            writeTransactions(running);
        } else if (running.sessions.isEmpty() && running.sharedQueues.isEmpty()) {
            finishCheckpoint(running);
        } else if (!running.sessions.isEmpty()) {
            writeSession(running.writer, running.sessions.remove(random.nextInt(running.sessions.size())));
        } else {
            long queue = running.sharedQueues.remove(0);
            if (memory.queues.containsKey(queue)) {
                running.writer.queue(snapshot(queue));
            }
        }
    }

    private void beginCheckpoint() throws JournalException {
        long number = nextCheckpoint++;
        endedTransactions.clear();
        Loop first = loops.get(0);
        first.entries.numbered(EntryKind.CHECKPOINT, number);
        long position = append(first);
        append(loops.get(1));
        Attempt began = new Attempt(number, position, deadSegments(), writer(number, position));
        began.sessions.addAll(memory.sessions.keySet());
        memory.sessions
                .values()
                .forEach(session -> session.subscriptions.values().forEach(its -> {
                    if (its.group() != null && !began.sharedQueues.contains(its.queue())) {
                        began.sharedQueues.add(its.queue());
                    }
                }));
        attempt = began;
    }

    /**
     * Before any queue: what is over by now has reached the queues. What it has retained the log compares with the end
     * of the transaction, if that lies behind the checkpoint's position.
     */
    private void writeTransactions(Attempt running) throws JournalException {
        for (RecoveredTransaction retained : endedTransactions.values()) {
            running.writer.transaction(retained);
        }
        for (Map.Entry<Long, Transaction> open : memory.transactions.entrySet()) {
            running.writer.transaction(open.getValue().snapshot(open.getKey()));
            writtenWithCheckpoints++;
        }
        running.hasTransactions = true;
    }

    private CheckpointWriter writer(long number, long position) throws JournalException {
        CheckpointHeader header =
                new CheckpointHeader(number, position, nextId, nextId, 0, epoch, 1, journal.storeId());
        return CheckpointWriter.begin(storage, DATA, header, clock);
    }

    private void writeSession(CheckpointWriter writer, long id) throws JournalException {
        Session session = memory.sessions.get(id);
        if (session == null) {
            return;
        }
        EntryLog entries = new EntryLog();
        entries.session(
                id,
                "client" + id,
                session.expirySeconds,
                session.goneWallMs,
                session.will.isEmpty() ? null : EntryLog.will(session.will));
        List<QueueSnapshot> queues = new ArrayList<>();
        session.subscriptions.forEach((key, its) -> {
            entries.subscription(id, key, its.group(), its.queue());
            if (its.group() == null) {
                queues.add(snapshot(its.queue()));
            }
        });
        session.notes.forEach(note -> entries.protocol(id, NoteState.entry(NoteState.ADD, note)));
        byte[] bytes = Arrays.copyOfRange(entries.buffer().array(), RecordHeader.BYTES, entries.offset());
        writer.session(new SessionSnapshot(bytes, queues));
    }

    private FakeQueueSnapshot snapshot(long queue) {
        return memory.snapshot(queue, numbers.getOrDefault(queue, 0L) + 1, clock);
    }

    /** What it has seen of the broker is in the log before it counts. */
    private void finishCheckpoint(Attempt running) throws JournalException {
        for (Map.Entry<String, Place> retained : memory.retained.entrySet()) {
            running.writer.retained(CheckpointRig.retained(
                    retained.getKey(),
                    retained.getValue().position(),
                    retained.getValue().storedBytes()));
        }
        for (Loop loop : loops) {
            append(loop);
        }
        running.writer.finish();
        kept.add(running);
        checkpoints++;
        attempt = null;
    }

    /** Drops what recovery can do without, even if the newest checkpoint is damaged. */
    private void drop() throws JournalException {
        if (kept.size() < 2) {
            return;
        }
        Attempt older = kept.get(kept.size() - 2);
        for (int segment : older.dead) {
            if (segment < journal.map().segmentOf(older.position)) {
                dropped += journal.segments().stream().anyMatch(its -> its.number() == segment) ? 1 : 0;
                journal.drop(segment);
            }
        }
    }

    private List<Integer> deadSegments() {
        Set<Integer> alive = new HashSet<>();
        log.places().forEach(place -> alive.add(journal.map().segmentOf(place)));
        memory.places().forEach(place -> alive.add(journal.map().segmentOf(place)));
        List<Integer> dead = new ArrayList<>();
        for (Segment segment : journal.segments()) {
            if (!alive.contains(segment.number())) {
                dead.add(segment.number());
            }
        }
        return dead;
    }

    // lives

    private void begin() throws JournalException {
        journal = open();
        RecoveredState state = recover(journal);
        assertThat(state.lastSequence()).isEqualTo(sequence);
        journal.begin(state.lastEpoch() + 1);
        epoch++;
        List<Loop> made = new ArrayList<>();
        for (int i = 0; i < LOOPS; i++) {
            made.add(new Loop());
        }
        loops = made;
    }

    /** The process, or the machine, is gone: what was not appended never was. */
    private void crash() throws JournalException {
        journal.close();
        attempt = null;
        storage.losePower(random.nextBoolean() ? random.split() : null);
        verify();
        log = log.left();
        memory = log.copy();
        memory.named().forEach(memory::queue);
        if (random.nextInt(3) == 0 && !kept.isEmpty()) {
            damageNewest();
        }
        begin();
    }

    private void damageNewest() throws JournalException {
        long newest = kept.get(kept.size() - 1).number;
        if (kept.size() < 2) {
            return;
        }
        storage.overwrite(
                new CheckpointFiles(storage, DATA).file(newest), random.nextInt(20), (byte) 0xA5, (byte) 0x5A);
        verify();
        kept.clear(); // drops wait for two more
    }

    private void verify() throws JournalException {
        FileJournal reader = open();
        RecoveredState state = recover(reader);
        reader.close();
        attempt = null; // what was unfinished has been removed
        String left = log.left().render();
        assertThat(Rendering.of(state, Set.copyOf(TOPICS))).isEqualTo(left);
        assertThat(Rendering.of(replayedTwice(), Set.copyOf(TOPICS))).isEqualTo(left);
        assertThat(state.lastSequence()).isEqualTo(sequence);
        assertThat(state.nextSessionId()).isGreaterThan(log.sessions.isEmpty() ? 0 : log.sessions.lastKey());
        for (RecoveredQueue queue : state.queues()) {
            assertThat(queue.nextReference()).isLessThanOrEqualTo(numbers.getOrDefault(queue.id(), 0L) + 1);
        }
    }

    /**
     * What the rest of its life wrote after the newest checkpoint was begun comes once more than it does: so much, at
     * most, is in effect already in a checkpoint that was taken meanwhile. The transactions that were open come again
     * too.
     */
    private RecoveredState replayedTwice() throws JournalException {
        RecoveredState state = new RecoveredState();
        RecoveredState again = new RecoveredState();
        long from = Position.BEGINNING;
        int life = 1;
        List<Long> numbersThere = checkpointsThere();
        if (!numbersThere.isEmpty()) {
            Path file = new CheckpointFiles(storage, DATA).file(numbersThere.get(0));
            CheckpointHeader header =
                    CheckpointReader.read(storage, file, journal.storeId(), state, FORMATS, NoteState::new);
            from = header.position();
            life = header.epoch();
            CheckpointReader.read(storage, file, journal.storeId(), again, FORMATS, NoteState::new);
        }
        EntryReplay replay = new EntryReplay(state, FORMATS, NoteState::new);
        try (FileJournal reader = open()) {
            scanLife(reader, from, life, replay);
            for (RecoveredTransaction open : again.prepared()) {
                RecoveredTransaction its = state.transaction(open.id());
                open.messages().forEach(its::add);
                open.acknowledged().forEach(range -> its.acknowledge(range.queueId(), range.first(), range.last()));
                if (open.isPrepared()) {
                    its.prepare(open.branchId(), null);
                }
            }
            state.complete(reader.scan(from, replay::apply));
        }
        return state;
    }

    private static void scanLife(FileJournal reader, long from, int life, EntryReplay replay) throws JournalException {
        ScanResult unused = reader.scan(from, (position, bytes, offset, length) -> {
            if (RecordHeader.epoch(bytes, offset) == life) {
                replay.apply(position, bytes, offset, length);
            }
        });
    }

    private List<Long> checkpointsThere() throws JournalException {
        try {
            return new CheckpointFiles(storage, DATA).numbers();
        } catch (IOException e) {
            throw new JournalException("no checkpoints", e);
        }
    }

    private RecoveredState recover(FileJournal from) throws JournalException {
        return new Recovery(from, storage, DATA, FORMATS, NoteState::new, clock).read();
    }

    private FileJournal open() throws JournalException {
        return FileJournal.open(storage, JOURNAL, FileJournal.MIN_SEGMENT_BYTES);
    }

    private long append(Loop loop) throws JournalException {
        if (loop.entries.entries() == 0) {
            return 0;
        }
        sequence++;
        long position = loop.entries.appendTo(journal, epoch, sequence);
        journal.force();
        loop.effects.forEach(effect -> effect.accept(position));
        loop.effects.clear();
        loop.hasTransaction = false;
        loop.appendSoon = false;
        return position;
    }

    /** Done at once in the broker, and in the log when it is appended. */
    private void both(Loop loop, Consumer<RecoveryModel> effect) {
        effect.accept(memory);
        loop.onAppend(position -> effect.accept(log));
    }

    private Loop home(long session) {
        return loops.get((int) (session % LOOPS));
    }

    private <T> T pick(Collection<T> some) {
        return some.stream().skip(random.nextInt(some.size())).findFirst().orElseThrow();
    }

    private static final class Loop {
        final EntryLog entries = new EntryLog();
        final List<Consumer<Long>> effects = new ArrayList<>();
        boolean hasTransaction;
        boolean appendSoon;

        void onAppend(Consumer<Long> effect) {
            effects.add(effect);
        }
    }

    /** A checkpoint that is being taken, or was. */
    private static final class Attempt {
        final long number;
        final long position;
        final List<Integer> dead;
        final CheckpointWriter writer;
        final List<Long> sessions = new ArrayList<>();
        final List<Long> sharedQueues = new ArrayList<>();
        boolean hasTransactions;

        Attempt(long number, long position, List<Integer> dead, CheckpointWriter writer) {
            this.number = number;
            this.position = position;
            this.dead = dead;
            this.writer = writer;
        }
    }
}
