package dev.avocet.server.broker.store;

import dev.avocet.amqp.message.AmqpFormat;
import dev.avocet.core.journal.Journal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.store.inspect.CheckpointStat;
import dev.avocet.core.store.inspect.Damage;
import dev.avocet.core.store.inspect.SegmentStat;
import dev.avocet.core.store.inspect.StoreInspection;
import dev.avocet.core.store.inspect.StoreRepair;
import dev.avocet.core.store.inspect.StoreStat;
import dev.avocet.core.store.inspect.StoreUpgrade;
import dev.avocet.core.store.inspect.StoreUpgraded;
import dev.avocet.core.store.inspect.StoreVerification;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.codec.field.StoredProperties;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.server.store.StoreInspector;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says in words and figures what the core finds in a store. */
public final class JournalInspector implements StoreInspector {
    @Override
    public StoreReport stat(StoreLocation store) throws JournalException {
        try (Journal journal = open(store)) {
            return report(inspection(journal, store).stat());
        }
    }

    @Override
    public StoreReport verify(StoreLocation store) throws JournalException {
        try (Journal journal = open(store)) {
            StoreVerification found = inspection(journal, store).verify();
            return new StoreReport(figures(found), List.of(), damages(found), List.of(), false);
        }
    }

    @Override
    public StoreReport repair(StoreLocation store) throws JournalException {
        try (Journal journal = open(store)) {
            StoreRepair done = inspection(journal, store).repair();
            Map<String, Object> figures = figures(done.before());
            figures.put("changed", done.hasChanged());
            figures.put("missingRecords", done.missingRecords());
            if (done.written() != null) {
                figures.put("written", done.written().toString());
            }
            List<String> consequences = new ArrayList<>(done.losses());
            done.putAside().forEach(file -> consequences.add("kept from before: " + file));
            return new StoreReport(figures, List.of(), damages(done.before()), consequences, true);
        }
    }

    @Override
    public StoreReport upgrade(StoreLocation store) throws JournalException {
        Storage storage = new DiskStorage();
        StoreUpgrade upgrade = new StoreUpgrade(
                storage,
                store.directory(),
                List.of(new StoredProperties(), new AmqpFormat()),
                MqttSession::new,
                new SystemClock());
        StoreUpgraded done = upgrade.run(
                store.journal().toString(),
                (directory, isSmall) ->
                        isSmall ? store.openSmallJournal(storage, directory) : store.openJournal(storage, directory));
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("sessions", done.sessions());
        figures.put("queues", done.queues());
        figures.put("messages", done.references());
        figures.put("retained", done.retained());
        figures.put("preparedTransactions", done.prepared());
        figures.put("messagesWritten", done.messages());
        figures.put("messageBytes", done.messageBytes());
        return new StoreReport(figures, List.of(), List.of(), List.of("kept from before: " + done.kept()), true);
    }

    private static StoreReport report(StoreStat stat) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("sizeBytes", stat.sizeBytes());
        figures.put("segments", stat.segments().size());
        figures.put("sessions", stat.sessions());
        figures.put("queues", stat.queues());
        figures.put("messages", stat.references());
        figures.put("retained", stat.retained());
        figures.put("preparedTransactions", stat.prepared());
        for (CheckpointStat checkpoint : stat.checkpoints()) {
            figures.put(
                    "checkpoint" + checkpoint.number(),
                    checkpoint.whole() ? "at " + Position.show(checkpoint.position()) : "damaged");
        }
        return new StoreReport(
                figures,
                stat.segments().stream().map(JournalInspector::row).toList(),
                stat.damages().stream().map(Damage::toString).toList(),
                List.of(),
                false);
    }

    private static Map<String, Object> row(SegmentStat segment) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("segment", segment.number());
        row.put("file", segment.file().toString());
        row.put("sizeBytes", segment.sizeBytes());
        row.put("liveReferences", segment.liveReferences());
        row.put("livePercent", segment.livePercent());
        return row;
    }

    private static Map<String, Object> figures(StoreVerification found) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("records", found.records());
        figures.put("recordBytes", found.bytes());
        figures.put("references", found.references());
        figures.put("lostReferences", found.lostReferences());
        figures.put("damagesWhereNothingIsNeeded", found.oldDamages().size());
        return figures;
    }

    private static List<String> damages(StoreVerification found) {
        List<String> sentences = new ArrayList<>();
        found.damages().forEach(damage -> sentences.add(damage.toString()));
        found.lost().forEach(lost -> sentences.add("cannot be read: " + lost));
        return sentences;
    }

    private static Journal open(StoreLocation store) throws JournalException {
        return store.openJournal(new DiskStorage());
    }

    private static StoreInspection inspection(Journal journal, StoreLocation store) {
        Storage storage = new DiskStorage();
        return new StoreInspection(
                journal,
                storage,
                store.directory(),
                List.of(new StoredProperties(), new AmqpFormat()),
                MqttSession::new,
                new SystemClock());
    }
}
