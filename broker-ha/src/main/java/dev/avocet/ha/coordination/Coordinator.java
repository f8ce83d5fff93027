package dev.avocet.ha.coordination;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Keeps one {@link Register}. Safety of a pair rests on {@link #compareAndSet} alone: that of several attempts from the
 * same value exactly one succeeds, whatever crashes.
 *
 * <p>Threads: any thread calls. Nothing blocks the caller. Stages are completed, and listeners called, on threads of
 * the coordinator and never on an event loop; each stage is completed within the coordinator's timeout, with a
 * {@link CoordinationException} if there was no answer.
 */
public interface Coordinator extends AutoCloseable {
    /** The register, not older than this call. */
    CompletionStage<Register> read();

    /**
     * Writes {@code next} if {@code expected} is there. A failed stage says nothing about the register: the writer
     * attempts the same again, which is answered with {@link CasResult.Written} if the first attempt succeeded.
     */
    CompletionStage<CasResult> compareAndSet(Register expected, Register next);

    /**
     * Tells that listener of new values, of the present one first if there is one. Values in between may be left out,
     * and each may come late; the listener must not block.
     */
    Watch watch(Consumer<Register> listener);

    /** Ends the threads. Stages that are open fail. */
    @Override
    void close();

    /** A listener that hears of new values until this is closed. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
