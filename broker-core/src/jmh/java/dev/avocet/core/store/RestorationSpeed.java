package dev.avocet.core.store;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.endpoint.EventLoops;
import dev.avocet.core.endpoint.LoopGroup;
import dev.avocet.core.endpoint.Transport;
import dev.avocet.core.journal.CommitMode;
import dev.avocet.core.journal.JournalLimits;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.store.image.MadeUpRecords;
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
        MadeUpRecords out = new MadeUpRecords(journal, journal::append, PAYLOAD_BYTES, clock);
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
}
