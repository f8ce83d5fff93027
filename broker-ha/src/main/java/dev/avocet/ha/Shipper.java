package dev.avocet.ha;

import dev.avocet.core.journal.JournalException;
import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.log.MemberLog;
import dev.avocet.ha.role.PairMessage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads records and sends them, as far as there is credit, on the thread {@code pair-ship}. */
final class Shipper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Shipper.class);
    private static final int BYTES_PER_FRAME = 256 << 10;
    private static final long LOOK_MS = 100;
    private static final long CLOSE_S = 5;

    /** No message of a client passes here: it is held to wait for the other node's credit. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition credit = lock.newCondition();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "pair-ship");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean closed;

    /**
     * Sends what lies between two positions, or what of it can be sent before the link ends.
     *
     * @param shipped hears up to where, on the thread
     */
    void ship(MemberLog log, LinkConnection link, long epoch, long from, long end, LongConsumer shipped) {
        try {
            executor.execute(() -> shipped.accept(send(log, link, epoch, from, end)));
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

    private long send(MemberLog log, LinkConnection link, long epoch, long from, long end) {
        long at = from;
        try {
            while (at < end && isUsable(link)) {
                PairMessage.Records records = log.read(epoch, at, end, BYTES_PER_FRAME);
                if (records.end() == at || !send(link, records)) {
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

    private boolean send(LinkConnection link, PairMessage.Records records) {
        while (!link.trySend(records)) {
            lock.lock();
            try {
                if (!isUsable(link)) {
                    return false;
                }
                boolean unused = credit.await(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                lock.unlock();
            }
        }
        return true;
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
