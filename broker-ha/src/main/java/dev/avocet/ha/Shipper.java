package dev.avocet.ha;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.time.Clock;
import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.log.MemberLog;
import dev.avocet.ha.log.StoreShipment;
import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records and sends them, as far as there is credit, on the thread {@code pair-ship}. A node that no client waits
 * for gets no more in a second than its share.
 */
final class Shipper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Shipper.class);
    private static final int BYTES_PER_FRAME = 256 << 10;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long CLOSE_S = 5;
    private static final BooleanSupplier NO_CLIENT = () -> false;

    /** No message of a client passes here: it is held to wait for the other node's credit. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition credit = lock.newCondition();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "pair-ship");
        thread.setDaemon(true);
        return thread;
    });
    private final Clock clock;
    private final CatchUpPace pace;
    private final AtomicReference<@Nullable StoreStart> newestStore = new AtomicReference<>();
    private volatile boolean closed;

    /** Of disk and network, in a second. */
    private volatile long catchUpBytes;

    /** @param catchUpBytes the share, in a second, of a node that no client waits for */
    Shipper(long catchUpBytes, Clock clock) {
        this.catchUpBytes = catchUpBytes;
        this.clock = clock;
        pace = new CatchUpPace(clock.nanoTime());
    }

    /** A node that no client waits for has another share from now on, also of what waits for its time. Any thread. */
    void catchUp(long bytesPerSecond) {
        catchUpBytes = bytesPerSecond; // who waits looks again soon
    }

    /**
     * Sends what lies between two positions, or what of it can be sent before the link ends.
     *
     * @param isAwaited whether clients wait for the other node to have it, so that it goes as fast as it can; asked
     *     on the thread, as that may change meanwhile
     * @param shipped hears up to where, on the thread
     */
    void ship(
            MemberLog log,
            LinkConnection link,
            long epoch,
            long from,
            long end,
            BooleanSupplier isAwaited,
            LongConsumer shipped) {
        try {
            executor.execute(() -> shipped.accept(send(log, link, epoch, from, end, isAwaited)));
        } catch (RejectedExecutionException e) {
            assert closed;
        }
    }

    /** There is credit, or a link has ended. Any thread. */
    void wake() {
        lock.lock();
        try {
            credit.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long send(MemberLog log, LinkConnection link, long epoch, long from, long end, BooleanSupplier isAwaited) {
        long at = from;
        try {
            while (at < end && isUsable(link)) {
                PairMessage.Records records = log.read(epoch, at, end, BYTES_PER_FRAME);
                if (records.end() == at || !keepPace(link, records, isAwaited) || !send(link, records)) {
                    return at;
                }
                at = records.end();
            }
        } catch (JournalException e) {
            if (!closed) {
                LOG.warn("The records from position {} on cannot be sent: {}", at, e.getMessage());
                log.unreadable(at);
                link.close("this node cannot read what the other one needs");
            }
        }
        return at;
    }

    /**
     * Sends a checkpoint and the records that go with it, or what of that can be sent before the link ends.
     *
     * @param progress hears now and then of what was sent, on the thread
     */
    void shipStore(MemberLog log, LinkConnection link, long epoch, StoreStart start, StoreProgress progress) {
        newestStore.set(start);
        try {
            executor.execute(() -> sendStore(log, link, epoch, start, progress));
        } catch (RejectedExecutionException e) {
            assert closed;
        }
    }

    private void sendStore(MemberLog log, LinkConnection link, long epoch, StoreStart start, StoreProgress progress) {
        try (StoreShipment shipment = log.shipment()) {
            long checkpoint = shipment.checkpoint();
            LOG.info(
                    "The other node lacks more than the log has: it is sent the checkpoint at position {}, {} bytes,"
                            + " and the log that goes with it",
                    checkpoint,
                    shipment.checkpointBytes());
            link.send(new PairMessage.Start(start.request(), epoch, log.storeId(), checkpoint, start.starts()));
            if (!sendParts(shipment, link, epoch, start)) {
                return;
            }
            long at = 0;
            long end = log.end();
            while (at < end) {
                PairMessage.Records records = shipment.nextRecords(epoch, end, BYTES_PER_FRAME);
                if (!isNewest(start) || !keepPace(link, records, NO_CLIENT) || !send(link, records)) {
                    return;
                }
                boolean wasBefore = at < checkpoint;
                at = records.end();
                progress.shipped(at, checkpoint);
                if (wasBefore && at >= checkpoint) {
                    end = log.end(); // what was dead by then is not alive at this end
                }
            }
            link.send(new PairMessage.Whole(epoch, at));
            LOG.info("The other node was sent all up to position {}", at);
        } catch (JournalException e) {
            if (!closed) {
                LOG.warn("The store cannot be sent to the other node: {}", e.getMessage());
                link.send(new PairMessage.Refuse(
                        epoch,
                        log.storeId(),
                        "the log that this node lacks is not kept any more, and the active node cannot send its"
                                + " checkpoint (" + e.getMessage() + "): copy its store to this node while both are"
                                + " stopped"));
            }
        }
    }

    private boolean sendParts(StoreShipment shipment, LinkConnection link, long epoch, StoreStart start)
            throws JournalException {
        while (true) {
            PairMessage.Part part = shipment.nextPart(epoch, BYTES_PER_FRAME);
            if (((byte[]) part.content()).length == 0) {
                return true;
            }
            if (!isNewest(start) || !keepPace(link, part, NO_CLIENT) || !send(link, part)) {
                return false;
            }
        }
    }

    /** The other node may have asked anew meanwhile. */
    private boolean isNewest(StoreStart start) {
        return start.equals(newestStore.get());
    }

    /** What asks for a store: the request, and where the epochs of the log begin. */
    record StoreStart(long request, EpochStarts starts) {}

    /** Hears of what was sent. */
    interface StoreProgress {
        void shipped(long end, long checkpoint);
    }

    private boolean send(LinkConnection link, PairMessage message) {
        while (!link.trySend(message)) {
            if (!await(link, LOOK_NS)) {
                return false;
            }
        }
        return true;
    }

    /** Waits until it may be sent, or clients wait for it; false when the link ends before. */
    private boolean keepPace(LinkConnection link, PairMessage message, BooleanSupplier isAwaited) {
        while (!isAwaited.getAsBoolean()) {
            long leftNs = pace.leftNs(catchUpBytes, clock.nanoTime());
            if (leftNs == 0) {
                pace.goes(LinkConnection.contentBytes(message));
                return true;
            }
            if (!await(link, Math.min(leftNs, LOOK_NS))) {
                return false;
            }
        }
        return true;
    }

    /** Waits so long at most; false when the link is of no use any more. */
    @SuppressWarnings("WaitNotInLoop") // who calls looks again
    private boolean await(LinkConnection link, long ns) {
        lock.lock();
        try {
            if (!isUsable(link)) {
                return false;
            }
            long unused = credit.awaitNanos(ns);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isUsable(LinkConnection link) {
        return !closed && link.isOpen();
    }

    @Override
    public void close() {
        closed = true;
        wake();
        executor.shutdown();
        try {
            boolean unused = executor.awaitTermination(CLOSE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
