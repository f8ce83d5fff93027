package dev.avocet.server;

import dev.avocet.core.endpoint.OutputLease;
import dev.avocet.core.store.image.PracticeStore;
import dev.avocet.core.store.image.StoreTerm;
import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.ticket.TicketSource;
import dev.avocet.server.broker.BrokerProcess;
import dev.avocet.server.broker.InstancePlan;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.config.ServerConfig;
import dev.avocet.server.config.StoreConfig;
import dev.avocet.server.config.StoreMode;
import dev.avocet.server.process.FileTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a node that has never served clients take over made-up stores, so that Java has compiled the way to serving by
 * the time that clients wait at its end. Once in the life of a process, on a thread {@code rehearsal}, with event loops
 * of its own, in a folder that is deleted afterwards. It ends early when this node really becomes active.
 */
final class TakeoverRehearsal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TakeoverRehearsal.class);

    private static final String FOLDER = "rehearsal";
    private static final PracticeStore.Size SIZE = new PracticeStore.Size(1_000, 50, 5_000);
    private static final int SEGMENT_BYTES = 4 << 20;
    private static final int ROUNDS = 8;

    /** A round needs less; a smaller heap is the image's alone. */
    private static final long LEAST_FREE_BYTES = 128L << 20;

    /** Without endpoints and objects: no client can connect, and what the process logs does not change. */
    private final ServerConfig config;

    private final Path folder;
    private final Clock clock;
    private boolean begun;
    private volatile boolean ended;

    TakeoverRehearsal(Launch launch, Clock clock) {
        this.config = launch.config()
                .withEndpoints(List.of())
                .withStore(practiceStore(launch.config().store()));
        this.folder = launch.dataDirectory().resolve(FOLDER);
        this.clock = clock;
    }

    private static StoreConfig practiceStore(StoreConfig real) {
        return new StoreConfig(
                StoreMode.OS,
                real.journal(),
                StoreConfig.DEFAULT_DIRECTORY,
                SEGMENT_BYTES,
                real.payloadCacheBytes(),
                real.checkpointIntervalSeconds(),
                real.diskFreeMinBytes(),
                real.diskFreeMinPercent(),
                real.stragglerPercent(),
                real.moveBytesPerSecond());
    }

    /** Begins it, if that has not happened yet. The thread of the pair's host. */
    void begin() {
        if (!begun && !ended) {
            begun = true;
            Thread thread = new Thread(() -> LOG.info("{}", run()), "rehearsal");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Ends after the present round; does not wait for it. Any thread. */
    @Override
    public void close() {
        ended = true;
    }

    /** Returns what became of it, in words. */
    String run() {
        long freeBytes = freeBytes();
        if (freeBytes < LEAST_FREE_BYTES) {
            return "This node does not rehearse to take over, so the first time takes longer: " + (freeBytes >> 20)
                    + " MB of the heap are free, and " + (LEAST_FREE_BYTES >> 20) + " are needed";
        }
        try (BrokerProcess process = BrokerProcess.start(config)) {
            List<Long> roundsMs = new ArrayList<>();
            while (!ended && roundsMs.size() < ROUNDS) {
                roundsMs.add(TimeUnit.NANOSECONDS.toMillis(roundNs(process)));
            }
            return "This node has rehearsed to take over " + roundsMs.size() + " times, in " + roundsMs + " ms";
        } catch (Exception e) {
            LOG.debug("Why the rehearsal was given up", e);
            return "The rehearsal of a takeover was given up, so the first one takes longer: " + e.getMessage();
        }
    }

    private static long freeBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    }

    /** Returns how long it took from the last record of the other node until clients could have connected. */
    private long roundNs(BrokerProcess process) throws Exception {
        FileTree.delete(folder);
        Files.createDirectories(folder);
        try (PracticeStore store = PracticeStore.write(process.storeOf(config, folder), SIZE, clock)) {
            long beganNs = clock.nanoTime();
            StoreTerm term = store.takeOver();
            term.endInHaste(); // no broker starts from this store
            RunningBroker serving = open(process, term);
            long tookNs = clock.nanoTime() - beganNs;
            serving.close();
            return tookNs;
        } finally {
            FileTree.delete(folder);
        }
    }

    private RunningBroker open(BrokerProcess process, StoreTerm term) throws Exception {
        try {
            return process.open(new InstancePlan(
                    config, folder, false, this::onStoreFailed, term, OutputLease.ALWAYS, TicketSource.OWN));
        } catch (CannotOpenStoreException e) {
            term.closeUnused();
            throw e;
        }
    }

    private void onStoreFailed(Throwable cause) {
        LOG.debug("The store of the rehearsal has failed", cause);
    }
}
