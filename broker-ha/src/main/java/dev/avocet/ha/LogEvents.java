package dev.avocet.ha;

import dev.avocet.ha.log.MemberLog;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes on what the log of a life says to the thread of the pair: what is told often, once in a while. */
final class LogEvents implements MemberLog.Listener {
    private final PairThread thread;
    private final MemberLife life;
    private final AtomicBoolean appendedTold = new AtomicBoolean();
    private final AtomicBoolean forcedTold = new AtomicBoolean();

    LogEvents(PairThread thread, MemberLife life) {
        this.thread = thread;
        this.life = life;
    }

    @Override
    public void onForced() {
        if (forcedTold.compareAndSet(false, true)) {
            thread.execute(() -> {
                forcedTold.set(false);
                life.logForced();
            });
        }
    }

    @Override
    public void onAppendedHere() {
        if (appendedTold.compareAndSet(false, true)) {
            thread.execute(() -> {
                appendedTold.set(false);
                life.logAppended();
            });
        }
    }

    @Override
    public Runnable onTaken(int bytes) {
        return life.taken(bytes);
    }

    @Override
    public void onStoreReceived() {
        thread.execute(life::storeCame);
    }

    @Override
    public void onStoreRefused(String why) {
        thread.execute(() -> life.storeRefused(why));
    }

    @Override
    public void onFailure(Throwable cause) {
        thread.execute(() -> life.logFailed(cause));
    }
}
