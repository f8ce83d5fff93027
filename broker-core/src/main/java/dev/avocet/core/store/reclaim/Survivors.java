package dev.avocet.core.store.reclaim;

import java.util.List;

/** Knows who holds references. */
@FunctionalInterface
public interface Survivors {
    /**
     * Finds the references into a segment, by asking every queue on its home loop, and the retained messages. On the
     * thread {@code store-checkpoint}; does not wait for the loops.
     *
     * @param limit as many are enough: the rest is asked for when these have moved
     * @param answer to be called once, on any thread; the list is taken over
     */
    void find(int segment, int limit, Answer answer);

    /** Receives what was found. */
    @FunctionalInterface
    interface Answer {
        void onFound(List<Survivor> survivors);
    }
}
