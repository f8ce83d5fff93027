package dev.avocet.server.console;

import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A stream of events to one page. An event that its browser is too slow for is left out, so that no thread waits for
 * it. Thread-safe.
 */
final class LiveStream implements WriteListener {
    private final ServletOutputStream out;
    private final BooleanSupplier allowed;
    private final long endNs;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /**
     * A stream of an answer that has begun.
     *
     * @param allowed whether its user is still logged in
     * @param endNs when it ends at the latest, of a monotonic clock
     */
    LiveStream(ServletOutputStream out, BooleanSupplier allowed, long endNs) {
        this.out = out;
        this.allowed = allowed;
        this.endNs = endNs;
    }

    /** What a stream of events is written to. */
    static ServletOutputStream answer(Context context) {
        context.contentType("text/event-stream").header("X-Accel-Buffering", "no");
        try {
            return context.res().getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException("the answer cannot be written", e);
        }
    }

    /** Completes when it is over. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Whether it goes on; otherwise it ends now. */
    boolean goesOn(long nowNs) {
        if (nowNs - endNs >= 0 || !allowed.getAsBoolean()) {
            end();
        }
        return !ended.isDone();
    }

    void end() {
        ended.complete(null);
    }

    /** Whether an event would be sent now. */
    synchronized boolean isReady() {
        try {
            return !ended.isDone() && out.isReady();
        } catch (IllegalStateException e) {
            end(); // the page is gone
            return false;
        }
    }

    synchronized void send(byte[] event) {
        try {
            if (!ended.isDone() && out.isReady()) {
                out.write(event);
                if (out.isReady()) {
                    out.flush();
                }
            }
        } catch (IOException | IllegalStateException e) {
            end(); // the page is gone
        }
    }

    /** Nothing is kept that could be sent now; the next event can. */
    @Override
    public void onWritePossible() {}

    @Override
    public void onError(Throwable failure) {
        end();
    }
}
