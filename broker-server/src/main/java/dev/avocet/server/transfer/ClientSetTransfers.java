package dev.avocet.server.transfer;

import dev.avocet.core.store.Store;
import dev.avocet.core.store.transfer.TransferCounts;
import dev.avocet.core.store.transfer.TransferException;
import dev.avocet.core.store.write.StoredParts;
import dev.avocet.core.time.Clock;
import dev.avocet.server.export.ExportException;
import dev.avocet.server.transfer.TransferStatus.State;
import dev.avocet.server.transfer.TransferStatus.TransferKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports and imports of sessions, one at a time on the thread {@code client-sets}, and what became of the last of
 * them. What is known of them ends with the process; the files stay. Any thread.
 */
public final class ClientSetTransfers implements AutoCloseable {
    /** Requests that are known, those among them that are over. */
    private static final int REQUESTS_MAX = 64;

    private static final long CLOSE_S = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ClientSetTransfers.class);

    private final Store store;
    private final StoredParts parts;
    private final Function<Predicate<String>, List<String>> sessionIds;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final ThreadPoolExecutor worker =
            new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "client-sets");
                thread.setDaemon(true);
                return thread;
            });
    /** Guarded by itself; in the order of the requests. */
    private final Map<Long, TransferStatus> requests = new LinkedHashMap<>();

    private long nextId;

    /** @param sessionIds finds the sessions of the clients that are wanted; may wait for the loops */
    public ClientSetTransfers(
            Store store, StoredParts parts, Function<Predicate<String>, List<String>> sessionIds, Clock clock) {
        this.store = store;
        this.parts = parts;
        this.sessionIds = sessionIds;
        this.clock = clock;
        this.nextId = clock.wallTimeMs(); // so that a number of an earlier life names none of this
    }

    /**
     * What to export.
     *
     * @param clientId for people, as {@code clients} was given
     * @param retain for people, as {@code topics} was given
     */
    public record Wanted(
            String clientId, Predicate<String> clients, String retain, Predicate<String> topics, boolean disconnects) {}

    /** Begins an export; null when there are too many requests already. */
    public @Nullable TransferStatus beginExport(Path file, String password, Wanted wanted) {
        ClientSetExport export = new ClientSetExport(
                file,
                password,
                () -> sessionIds.apply(wanted.clients()),
                wanted.topics(),
                wanted.disconnects(),
                () -> store.sessionExport(parts),
                random);
        return begin(TransferKind.EXPORT, file, wanted.clientId(), wanted.retain(), export::run);
    }

    /** Begins an import; null when there are too many requests already. */
    public @Nullable TransferStatus beginImport(Path file, String password) {
        ClientSetImport taken = new ClientSetImport(
                file, password, store.maxRecordBytes(), store::transferReader, () -> store.sessionImport(parts));
        return begin(TransferKind.IMPORT, file, "", "", taken::run);
    }

    /** A request; null when there is none with that number. */
    public @Nullable TransferStatus find(TransferKind kind, long id) {
        synchronized (requests) {
            TransferStatus found = requests.get(id);
            return found != null && found.kind() == kind ? found : null;
        }
    }

    /** Forgets a request that is over, and deletes the file of an export. */
    public void delete(TransferStatus over, Path file) throws IOException {
        if (over.kind() == TransferKind.EXPORT && over.state() == State.COMPLETED) {
            Files.deleteIfExists(file);
        }
        synchronized (requests) {
            requests.remove(over.id());
        }
    }

    /** What is going on is given up; an import that is not whole leaves the sessions that are complete. */
    @Override
    public void close() {
        worker.shutdownNow();
        try {
            if (!worker.awaitTermination(CLOSE_S, TimeUnit.SECONDS)) {
                LOG.warn("An export or import of a client set does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable TransferStatus begin(TransferKind kind, Path file, String clientId, String retain, Work work) {
        TransferStatus begun;
        synchronized (requests) {
            if (requests.size() >= REQUESTS_MAX && !forgetOldest()) {
                return null;
            }
            begun = new TransferStatus(
                    nextId++,
                    kind,
                    String.valueOf(file.getFileName()),
                    clientId,
                    retain,
                    State.IN_PROGRESS,
                    now(),
                    null,
                    "",
                    TransferCounts.NONE,
                    List.of());
            requests.put(begun.id(), begun);
        }
        worker.execute(() -> run(begun, work));
        return begun;
    }

    private boolean forgetOldest() {
        Iterator<TransferStatus> oldest = requests.values().iterator();
        while (oldest.hasNext()) {
            if (oldest.next().state() != State.IN_PROGRESS) {
                oldest.remove();
                return true;
            }
        }
        return false;
    }

    private void run(TransferStatus begun, Work work) {
        TransferStatus over;
        try {
            Outcome outcome = work.run();
            State state = outcome.problems().isEmpty() ? State.COMPLETED : State.FAILED;
            over = begun.over(state, outcome.message(), outcome.counts(), outcome.diagnostics(), now());
        } catch (TransferException | ExportException e) {
            over = failed(begun, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            over = failed(begun, "the disk refused it: " + e);
        } catch (RuntimeException e) {
            LOG.error("Internal error while a client set was exported or imported", e);
            over = failed(begun, "internal error: " + e);
        }
        LOG.info(
                "{} of client set {}, request {}: {} {}",
                over.kind(),
                over.file(),
                over.id(),
                over.state(),
                over.message());
        synchronized (requests) {
            requests.replace(over.id(), over);
        }
    }

    private TransferStatus failed(TransferStatus begun, String why) {
        return begun.over(State.FAILED, why, TransferCounts.NONE, List.of(), now());
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallTimeMs());
    }

    /** What the thread does. */
    @FunctionalInterface
    private interface Work {
        Outcome run() throws TransferException, ExportException, IOException;
    }
}
