package dev.avocet.core.store;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.endpoint.EventLoops;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryWriter;
import dev.avocet.core.store.entry.SessionEntries;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.reclaim.ReclaimSettings;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.transaction.TransactionLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long a broker takes from having its memory to serving: sessions with references, and retained messages, from a
 * checkpoint. The first start makes the checkpoint; the others are measured. No JMH.
 */
public final class RestorationSpeed {
    private static final int SESSIONS = Integer.getInteger("sessions", 20_000);
    private static final int REFERENCES = Integer.getInteger("references", 1_000_000);
    private static final int RETAINED = Integer.getInteger("retained", 100_000);
    private static final int PAYLOAD_BYTES = Integer.getInteger("payload", 256);
    private static final int RUNS = Integer.getInteger("runs", 7);
    private static final int LOOPS = Integer.getInteger("loops", 2);
    private static final int ENTRIES_PER_RECORD = 200;
    private static final int SEGMENT_BYTES = 64 << 20;

    private final Clock clock = new SystemClock();
    private final Path directory;

    private RestorationSpeed(Path directory) {
        this.directory = directory;
    }

    /** @param args a directory; without one a temporary one */
    public static void main(String[] args) throws IOException {
        Path directory = args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("restoration");
        Files.createDirectories(directory);
        RestorationSpeed speed = new RestorationSpeed(directory);
        try {
            speed.write();
            speed.start("first start, from the journal");
            for (int run = 1; run <= RUNS; run++) {
                speed.start("run " + run);
            }
        } finally {
            try (Stream<Path> all = Files.walk(directory)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
        System.exit(0);
    }

    private void write() throws IOException {
        FileJournal journal = open();
        journal.begin(1);
        Output out = new Output(journal, PAYLOAD_BYTES, clock);
        for (int i = 1; i <= SESSIONS; i++) {
            out.session(i);
        }
        for (int i = 0; i < REFERENCES; i++) {
            out.message("topic", 1 + i % SESSIONS, 1 + i / SESSIONS);
        }
        for (int i = 0; i < RETAINED; i++) {
            out.message("retained/" + i % 100 + "/" + i, 0, 0);
        }
        out.flush();
        journal.force();
        journal.close();
    }

    private void start(String what) throws IOException {
        System.gc();
        EventLoops threads = new EventLoops(Transport.best(), LOOPS);
        LoopGroup loops = new LoopGroup(threads, clock, new MemoryGuard());
        long beganNs = clock.nanoTime();
        Store store = new Store(
                open(),
                new DiskStorage(),
                new StoreOptions(
                        directory,
                        CommitMode.SYNC,
                        64 << 20,
                        new JournalLimits(0, 0, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        ReclaimSettings.DEFAULT),
                List.of(),
                () -> {
                    throw new IllegalStateException("no front end");
                },
                new MemoryGuard(),
                clock,
                new StoreListener() {
                    @Override
                    public void onStoreFailed(Throwable cause) {
                        cause.printStackTrace();
                    }

                    @Override
                    public void onMessagesAccepted(boolean accepted, String lack) {}
                });
        store.recover();
        long recoveredNs = clock.nanoTime();
        store.start(loops.loops());
        long startedNs = clock.nanoTime();
        Broker broker = new Broker(BrokerOptions.DEFAULT, TransactionLimits.DEFAULT, loops.loops(), store);
        store.restoreInto(broker.storedParts());
        long servedNs = clock.nanoTime();
        System.out.printf(
                "%s: read %d ms, began %d ms, restored %d ms; served after %d ms, without reading %d ms; %d sessions, %d"
                        + " references, %d retained%n",
                what,
                millis(recoveredNs - beganNs),
                millis(startedNs - recoveredNs),
                millis(servedNs - startedNs),
                millis(servedNs - beganNs),
                millis(servedNs - recoveredNs),
                broker.sessions().all().size(),
                store.references(),
                broker.retained().count());
        store.close();
        loops.close();
        threads.close();
    }

    private FileJournal open() throws IOException {
        return FileJournal.open(new DiskStorage(), directory.resolve("journal"), SEGMENT_BYTES);
    }

    private static long millis(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }

    /** Writes entries, many in a record. */
    static final class Output {
        private final FileJournal journal;
        private final Clock clock;
        private final RecordBuffer buffer = new RecordBuffer(RecordHeader.BYTES);
        private final EntryWriter out = new EntryWriter(buffer);
        private final byte[] payload;
        private long sequence;
        private int entries;

        Output(FileJournal journal, int payloadBytes, Clock clock) {
            this.payload = new byte[payloadBytes];
            this.clock = clock;
            this.journal = journal;
            buffer.reset(RecordHeader.BYTES);
        }

        void session(int id) throws IOException {
            out.begin(EntryKind.SESSION);
            SessionEntries.session(
                    id, new StoredSession("client-" + id, 1_000_000, false, clock.wallTimeMs(), null, null), out);
            out.end();
            out.begin(EntryKind.SUBSCRIPTION);
            SessionEntries.subscription(
                    id,
                    new StoredSubscription(
                            "own/" + id,
                            TopicFilter.of("own/" + id),
                            null,
                            new DeliveryOptions(
                                    QualityOfService.AT_LEAST_ONCE, false, false, DeliveryOptions.NO_IDENTIFIERS),
                            false,
                            id,
                            QueueLimits.DEFAULT,
                            QualityOfServiceFilter.NONE,
                            null),
                    out);
            out.end();
            entries += 2;
            flushIfEnough();
        }

        /** @param queue 0 for a retained message */
        void message(String topic, long queue, long number) throws IOException {
            boolean retained = queue == 0;
            Message message = new Message(
                    TopicName.of(topic),
                    QualityOfService.AT_LEAST_ONCE,
                    retained,
                    payload,
                    MessageProperties.NONE,
                    Message.NEVER,
                    "publisher");
            out.begin(EntryKind.MESSAGE);
            out.messageHead(message, retained, EntryFormat.NO_TRANSACTION, retained ? 0 : 1, 0);
            if (!retained) {
                out.target(queue, number, null);
            }
            out.content(message);
            int unused = out.endMessage();
            entries++;
            flushIfEnough();
        }

        private void flushIfEnough() throws IOException {
            if (entries >= ENTRIES_PER_RECORD) {
                flush();
            }
        }

        void flush() throws IOException {
            if (entries > 0) {
                sequence++;
                RecordHeader.write(buffer.array(), buffer.length(), 1, sequence, journal.end(), sequence - 1, entries);
                long unused = journal.append(buffer.array(), buffer.length());
                buffer.reset(RecordHeader.BYTES);
                entries = 0;
            }
        }
    }
}
