package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.Segment;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.session.FormerShareNames;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.session.SubscriptionId;
import dev.avocet.core.store.checkpoint.CheckpointFiles;
import dev.avocet.core.store.checkpoint.CheckpointHeader;
import dev.avocet.core.store.checkpoint.CheckpointWriter;
import dev.avocet.core.store.checkpoint.StateCheckpoint;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.image.Recovery;
import dev.avocet.core.store.place.SegmentTable;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredRetained;
import dev.avocet.core.store.replay.RecoveredSession;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import dev.avocet.core.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks into a store, checks and mends it, while no broker runs on it: the caller sees to that. Any number of calls, on
 * one thread. Blocks on the disk; takes memory as recovery does.
 */
public final class StoreInspection {
    /** Suffix of the checkpoints that a repair has replaced. */
    static final String REPLACED = "before-repair";

    private final Journal journal;
    private final CheckpointFiles files;
    private final Formats formats;
    private final ProtocolStates protocolStates;
    private final Clock clock;

    /**
     * @param journal open and not begun; stays the caller's
     * @param directory where the checkpoints lie
     * @param formats of properties that the front ends use
     * @param protocolStates makes what the front end keeps with sessions
     */
    public StoreInspection(
            Journal journal,
            Storage storage,
            Path directory,
            List<PropertiesFormat> formats,
            ProtocolStates protocolStates,
            Clock clock) {
        this.journal = journal;
        this.files = new CheckpointFiles(storage, directory);
        this.formats = new Formats(formats);
        this.protocolStates = protocolStates;
        this.clock = clock;
    }

    /**
     * Tells what is in the store. Reads what recovery would read.
     *
     * @throws JournalException when the files cannot be read
     */
    public StoreStat stat() throws JournalException {
        StoreReading reading = newReading();
        reading.readWhatRecoveryReads();
        RecoveredState state = reading.state();
        return new StoreStat(
                segments(state),
                reading.checkpoints(),
                reading.counts().asMap(),
                state.sessions().size(),
                state.queues().size(),
                state.references() - state.retained().size(),
                state.retained().size(),
                state.prepared().size(),
                reading.damages(),
                clock.wallTimeMs());
    }

    /** Reads everything and lists what is damaged. Changes nothing. */
    public StoreVerification verify() throws JournalException {
        StoreReading reading = newReading();
        reading.readEverything();
        return verify(reading, LivePlaces.of(reading.state()));
    }

    /**
     * Makes a damaged store one that can be opened, with everything in it that can be read. What is damaged is left as
     * it is: a new checkpoint holds all that could be read of the store, so that the log before it, damage included, is
     * not read any more. Earlier checkpoints are put aside under another name.
     *
     * @throws JournalException when it could not be done; the store is as it was then
     */
    public StoreRepair repair() throws JournalException {
        StoreReading reading = newReading();
        reading.readEverything();
        LivePlaces places = LivePlaces.of(reading.state());
        StoreVerification found = verify(reading, places);
        if (found.isWhole()) {
            return new StoreRepair(found, 0, null, List.of(), List.of());
        }
        try {
            List<Long> replaced = files.numbers();
            Path written = write(reading, places, replaced);
            List<Path> putAside = new ArrayList<>();
            for (long number : replaced) {
                putAside.add(files.putAside(number, REPLACED));
            }
            requireOpenable();
            return new StoreRepair(found, reading.missingRecords(), written, putAside, losses(reading, found));
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new JournalException(
                    "the store in " + files.directory() + " cannot be repaired: " + e.getMessage(), e);
        }
    }

    private StoreReading newReading() {
        return new StoreReading(journal, files, formats, protocolStates);
    }

    private StoreVerification verify(StoreReading reading, LivePlaces places) throws JournalException {
        EntryCheck check = new EntryCheck(formats, protocolStates, places);
        places.begin();
        DamageList damages = reading.journalDamages();
        journal.scan(
                Position.BEGINNING,
                (position, bytes, offset, length) -> {
                    try {
                        check.check(position, bytes, offset, length);
                    } catch (JournalException e) {
                        damages.add(position, Damage.at(journal, position, e.getMessage()));
                    }
                },
                damages);
        return new StoreVerification(
                check.records(),
                check.bytes(),
                check.counts().asMap(),
                reading.state().references(),
                places.lost() == 0 ? List.of() : lost(reading.state(), places),
                reading.damages(),
                reading.oldDamages());
    }

    private List<SegmentStat> segments(RecoveredState state) {
        SegmentTable table = new SegmentTable(journal::map);
        state.forEachPlace(table::recovered);
        List<SegmentStat> stats = new ArrayList<>();
        for (Segment segment : journal.segments()) {
            int number = segment.number();
            stats.add(new SegmentStat(
                    number, segment.file(), segment.sizeBytes(), table.live(number), table.liveBytes(number)));
        }
        return stats;
    }

    private static List<LostMessages> lost(RecoveredState state, LivePlaces places) {
        List<LostMessages> lost = new ArrayList<>();
        Map<Long, String> names = namesOfQueues(state);
        for (RecoveredQueue queue : state.queues()) {
            long[] count = new long[1];
            queue.forEach(
                    (number, position, storedBytes, expiry, options) -> count[0] += places.isLost(position) ? 1 : 0);
            if (count[0] > 0) {
                lost.add(new LostMessages(names.getOrDefault(queue.id(), "queue " + queue.id()), count[0]));
            }
        }
        for (String topic : state.retainedTopics()) {
            RecoveredRetained retained = state.retained(topic);
            if (retained != null && places.isLost(retained.position())) {
                lost.add(new LostMessages("the topic '" + topic + "', whose retained one it was", 1));
            }
        }
        for (RecoveredTransaction transaction : state.prepared()) {
            long count = transaction.messages().stream()
                    .filter(message -> places.isLost(message.position()))
                    .count();
            if (count > 0) {
                lost.add(new LostMessages("the prepared " + transaction, count));
            }
        }
        return lost;
    }

    private static Map<Long, String> namesOfQueues(RecoveredState state) {
        Map<Long, String> names = new HashMap<>();
        for (RecoveredSession session : state.sessions()) {
            for (StoredSubscription subscription : session.subscriptions()) {
                SubscriptionId id = idOf(session, subscription);
                names.put(
                        subscription.queueId(), "the subscription '" + id.name() + "' of client '" + id.owner() + "'");
            }
        }
        return names;
    }

    private static SubscriptionId idOf(RecoveredSession session, StoredSubscription subscription) {
        String group = subscription.group();
        if (group == null) {
            return new SubscriptionId(session.clientId(), subscription.key());
        }
        String now = FormerShareNames.now(session.clientId(), subscription.key(), group);
        return ShareNames.idOf(now == null ? group : now);
    }

    private Path write(StoreReading reading, LivePlaces places, List<Long> replaced) throws JournalException {
        RecoveredState state = reading.state();
        long number = Math.max(state.nextCheckpoint(), replaced.isEmpty() ? 1 : replaced.get(0) + 1);
        CheckpointHeader header = new CheckpointHeader(
                number,
                reading.lastPosition(),
                state.nextSessionId(),
                state.nextQueueId(),
                state.lastSequence(),
                state.lastEpoch(),
                clock.wallTimeMs(),
                journal.storeId());
        CheckpointWriter writer = CheckpointWriter.begin(files.storage(), files.directory(), header, clock);
        boolean whole = false;
        try {
            new StateCheckpoint(state, places::isLost, clock).writeTo(writer);
            writer.finishBeside();
            whole = true;
            return files.file(number);
        } finally {
            if (!whole) {
                writer.abort();
            }
        }
    }

    private void requireOpenable() throws JournalException {
        new Recovery(journal, files.storage(), files.directory(), formats, protocolStates, null, clock).read();
    }

    private static List<String> losses(StoreReading reading, StoreVerification found) {
        List<String> losses = new ArrayList<>();
        found.lost().forEach(some -> losses.add("lost: " + some));
        if (reading.missingRecords() > 0 || !found.damages().isEmpty()) {
            long missing = reading.missingRecords();
            String records = missing == 0 ? "records" : missing == 1 ? "1 record" : missing + " records";
            losses.add("may be lost: what was written in " + records
                    + " behind the last checkpoint that could be read: messages, subscriptions, changes of sessions;"
                    + " acknowledgements too, so that some messages may be delivered again");
        }
        return losses;
    }
}
