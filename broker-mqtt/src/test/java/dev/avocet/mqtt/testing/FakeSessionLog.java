package dev.avocet.mqtt.testing;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.session.SessionLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session's log in memory. What is written until the end of a loop's batch is one record; it becomes durable when the
 * test says so, and in the order in which the records were closed, of whatever loop they are.
 */
public final class FakeSessionLog implements SessionLog {
    private final Supplier<IoLoop> home;
    private final Map<IoLoop, Batch> open = new HashMap<>();
    private final List<Batch> records = new ArrayList<>();
    private final Deque<Batch> pending = new ArrayDeque<>();

    /** @param home the loop that the session is at home on, when something is written */
    public FakeSessionLog(Supplier<IoLoop> home) {
        this.home = home;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        Batch batch = batch();
        batch.entries.add(Arrays.copyOfRange(bytes, offset, offset + length));
        schedule(batch);
    }

    @Override
    public void afterCommit(Runnable action) {
        Batch batch = batch();
        Batch last = lastPending(batch.loop);
        if (!batch.entries.isEmpty() || !batch.beforeCommit.isEmpty()) {
            batch.actions.add(action);
        } else if (last != null) {
            last.actions.add(action);
        } else {
            action.run();
        }
    }

    @Override
    public void beforeCommit(Runnable action) {
        Batch batch = batch();
        batch.beforeCommit.add(action);
        schedule(batch);
    }

    /** The oldest record that is closed becomes durable; the calling thread is that of its loop. */
    public void commit() {
        Batch durable = pending.element();
        assert durable.loop.inLoop() : "a loop hears of another loop's record";
        for (int i = 0; i < durable.actions.size(); i++) {
            durable.actions.get(i).run();
        }
        pending.remove();
    }

    /** Every record that is closed becomes durable. */
    public void commitAll() {
        while (!pending.isEmpty()) {
            commit();
        }
    }

    /** The entries of each closed record, durable or not. */
    public List<List<byte[]>> records() {
        return records.stream().map(record -> List.copyOf(record.entries)).toList();
    }

    /** Records that are closed and not durable. */
    public int pending() {
        return pending.size();
    }

    private Batch batch() {
        IoLoop loop = home.get();
        assert loop.inLoop() : "the session's log touched by another loop than its home";
        return open.computeIfAbsent(loop, Batch::new);
    }

    private @Nullable Batch lastPending(IoLoop loop) {
        for (Iterator<Batch> newestFirst = pending.descendingIterator(); newestFirst.hasNext(); ) {
            Batch batch = newestFirst.next();
            if (batch.loop == loop) {
                return batch;
            }
        }
        return null;
    }

    private void schedule(Batch batch) {
        if (!batch.scheduled) {
            batch.scheduled = true;
            batch.loop.atBatchEnd(() -> close(batch));
        }
    }

    private void close(Batch batch) {
        for (int i = 0; i < batch.beforeCommit.size(); i++) {
            batch.beforeCommit.get(i).run();
        }
        open.remove(batch.loop);
        if (!batch.entries.isEmpty()) {
            records.add(batch);
            pending.add(batch);
        }
    }

    private static final class Batch {
        private final IoLoop loop;
        private final List<byte[]> entries = new ArrayList<>();
        private final List<Runnable> beforeCommit = new ArrayList<>();
        private final List<Runnable> actions = new ArrayList<>();
        private boolean scheduled;

        Batch(IoLoop loop) {
            this.loop = loop;
        }
    }
}
