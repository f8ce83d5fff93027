package dev.avocet.server.rest;

import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * A client that is logged in, and whose PINGREQ the broker has to answer every two milliseconds: no task of its event
 * loop takes longer than the longest answer.
 */
final class LoopProbe implements AutoCloseable {
    private static final int PAUSE_MS = 2;
    private static final long LONGEST_US = 120_000_000;
    private static final byte[] PINGREQ = {(byte) 0xC0, 0};

    private final Socket client;
    private final Clock clock = new SystemClock();
    private final Histogram answersUs = new SynchronizedHistogram(LONGEST_US, 2);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> pings;

    LoopProbe(Socket client) {
        this.client = client;
        pings = thread.scheduleWithFixedDelay(this::ping, 0, PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    private void ping() {
        long sentNs = clock.nanoTime();
        try {
            client.getOutputStream().write(PINGREQ);
            if (client.getInputStream().readNBytes(2).length < 2) {
                throw new IOException("the broker has closed the connection");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // ends the pings, and close() tells
        }
        answersUs.recordValue(Math.min(LONGEST_US, (clock.nanoTime() - sentNs) / 1_000));
    }

    long answers() {
        return answersUs.getTotalCount();
    }

    /** What so many of a hundred answers took at most. */
    double percentileMs(double percentile) {
        return answersUs.getValueAtPercentile(percentile) / 1_000.0;
    }

    @Override
    public String toString() {
        return answers() + " answers; p50 " + percentileMs(50) + " ms, p99 " + percentileMs(99) + " ms, p99.9 "
                + percentileMs(99.9) + " ms, longest " + percentileMs(100) + " ms";
    }

    /** @throws IllegalStateException when the broker has left a ping without answer */
    @Override
    public void close() throws IOException {
        boolean failed = pings.isDone();
        pings.cancel(false);
        thread.shutdown();
        try {
            if (failed) {
                pings.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a client that was logged in got no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            client.close();
        }
    }
}
