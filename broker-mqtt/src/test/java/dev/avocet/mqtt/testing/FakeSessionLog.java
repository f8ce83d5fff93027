package dev.avocet.mqtt.testing;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.session.SessionLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * A session's log in memory. What is written until the end of the loop's batch is one record; it becomes durable when the test says so.
 */
public final class FakeSessionLog implements SessionLog {
    private final Supplier<IoLoop> loop;
    private final List<Written> records = new ArrayList<>();
    private final List<Runnable> beforeCommit = new ArrayList<>();
    private final Deque<Written> pending = new ArrayDeque<>();
    private Written open = new Written();
    private boolean scheduled;

    /** @param loop the loop that the session is at home on, when something is written */
    public FakeSessionLog(Supplier<IoLoop> loop) {
        this.loop = loop;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        open.entries.add(Arrays.copyOfRange(bytes, offset, offset + length));
        schedule();
    }

    @Override
    public void afterCommit(Runnable action) {
        if (!open.entries.isEmpty() || !beforeCommit.isEmpty()) {
            open.actions.add(action);
        } else if (!pending.isEmpty()) {
            pending.getLast().actions.add(action);
        } else {
            action.run();
        }
    }

    @Override
    public void beforeCommit(Runnable action) {
        beforeCommit.add(action);
        schedule();
    }

    /** The oldest record that is closed becomes durable; the calling thread is the loop's. */
    public void commit() {
        Written durable = pending.element();
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

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            loop.get().atBatchEnd(this::close);
        }
    }

    private void close() {
        scheduled = false;
        for (int i = 0; i < beforeCommit.size(); i++) {
            beforeCommit.get(i).run();
        }
        beforeCommit.clear();
        if (!open.entries.isEmpty()) {
            records.add(open);
            pending.add(open);
            open = new Written();
        }
    }

    private static final class Written {
        private final List<byte[]> entries = new ArrayList<>();
        private final List<Runnable> actions = new ArrayList<>();
    }
}
