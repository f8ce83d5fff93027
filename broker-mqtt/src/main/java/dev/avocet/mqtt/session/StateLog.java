package dev.avocet.mqtt.session;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionLog;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * How a stored session's changes get to its log: those of one batch of the loop as one entry. Each batch has a number,
 * by which it is known later whether its changes are durable; a later one never is before an earlier.
 *
 * <p>Owned by the session's home loop, and moves with it: {@link #write} before the session may move.
 */
final class StateLog {
    /** The number of no batch: what was never written, or in an earlier life. */
    static final long NO_BATCH = 0;

    private final ClientSession session;
    private final SessionLog log;
    private final Consumer<StateEntryWriter> lastChanges;
    private final LongConsumer onCommitted;
    private final Runnable writeAtHome = this::writeAtHome;
    private final StateEntryWriter entry = new StateEntryWriter();
    private long openBatch = NO_BATCH + 1;
    private long committedBatch = NO_BATCH;
    private boolean scheduled;
    private boolean awaited;

    /**
     * @param lastChanges adds to an entry that is about to be written
     * @param onCommitted hears, on the home loop, up to which batch everything is durable
     */
    StateLog(ClientSession session, SessionLog log, Consumer<StateEntryWriter> lastChanges, LongConsumer onCommitted) {
        this.session = session;
        this.log = log;
        this.lastChanges = lastChanges;
        this.onCommitted = onCommitted;
    }

    /** Notes a change of a packet identifier; returns the number of the batch that it is written with. */
    long note(StateChange change, int packetId) {
        return note(change, packetId, 0, 0);
    }

    long note(StateChange change, int packetId, long queueId, long reference) {
        entry.add(change, packetId, queueId, reference);
        awaited |= change.isAwaited();
        if (!scheduled) {
            scheduled = true;
            log.beforeCommit(writeAtHome);
        }
        return openBatch;
    }

    boolean isCommitted(long batch) {
        return batch <= committedBatch;
    }

    /** Runs an action when everything that this loop has written so far is durable. */
    void afterCommit(Runnable action) {
        log.afterCommit(action);
    }

    /** Writes what was noted. */
    void write() {
        if (entry.isEmpty()) {
            return;
        }
        scheduled = false;
        lastChanges.accept(entry);
        entry.end();
        log.write(entry.array(), 0, entry.length());
        entry.reset();
        long written = openBatch++;
        if (awaited) {
            awaited = false;
            log.afterCommit(() -> committed(written));
        }
    }

    /** The session may have moved since it asked for this; what it had noted it has written then. */
    private void writeAtHome() {
        if (session.home().inLoop()) {
            write();
        }
    }

    private void committed(long batch) {
        IoLoop home = session.home();
        if (!home.inLoop()) {
            home.execute(() -> committed(batch));
            return;
        }
        if (batch > committedBatch) {
            committedBatch = batch;
            onCommitted.accept(batch);
        }
    }
}
