package dev.avocet.core.store.reclaim;

/** The thread {@code store-checkpoint}, as its work sees it. Any thread may call. */
public interface ReclaimThread {
    /** Runs a task behind those that wait. */
    void execute(Runnable task);

    /** Runs a task later, once. */
    void schedule(Runnable task, long delayNs);
}
