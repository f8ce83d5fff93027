package dev.avocet.core.store.write;

import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.SessionLog;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.SessionEntries;

/** A session's log: entries among those of the loop that is the session's home at the time. */
public final class StoredSessionLog implements SessionLog {
    private final RunningStore store;
    private final ClientSession session;

    public StoredSessionLog(RunningStore store, ClientSession session) {
        this.store = store;
        this.session = session;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        StoreWriter writer = writer();
        SessionEntries.protocol(session.storeId(), bytes, offset, length, writer.begin(EntryKind.PROTOCOL));
        writer.end();
    }

    @Override
    public void afterCommit(Runnable action) {
        writer().afterCommit(position -> action.run());
    }

    @Override
    public void beforeCommit(Runnable action) {
        writer().beforeCommit(action);
    }

    private StoreWriter writer() {
        assert session.home().inLoop() : session + " written off its loop";
        return store.writer(session.home());
    }
}
