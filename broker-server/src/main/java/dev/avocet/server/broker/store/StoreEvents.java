package dev.avocet.server.broker.store;

import dev.avocet.core.store.StoreListener;
import dev.avocet.server.system.Notices;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what happens to the store: to those who have subscribed to it, then to the process, which may end then. Any
 * thread.
 */
public final class StoreEvents implements StoreListener {
    private final StoreFailureListener process;
    private volatile @Nullable Notices notices;

    public StoreEvents(StoreFailureListener process) {
        this.process = process;
    }

    /** From now on there may be subscribers. */
    public void tell(Notices subscribers) {
        this.notices = subscribers;
    }

    @Override
    public void onStoreFailed(Throwable cause) {
        try {
            Notices present = notices;
            if (present != null) {
                present.storeFailed(cause);
            }
        } finally {
            process.onStoreFailed(cause);
        }
    }

    @Override
    public void onMessagesAccepted(boolean accepted, String lack) {
        Notices present = notices;
        if (present != null) {
            present.messagesAccepted(accepted, lack);
        }
    }
}
