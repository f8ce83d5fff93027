package dev.avocet.testkit;

import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.FaultyNetwork.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** One direction of a connection through a {@link FaultyNetwork}. Owned by the thread that runs it. */
final class Pipe {
    static final int BUFFER_BYTES = 16 << 10;

    private static final Clock CLOCK = new SystemClock();

    private final Socket from;
    private final Socket to;
    private final Supplier<Fault> fault;

    Pipe(Socket from, Socket to, Supplier<Fault> fault) {
        this.from = from;
        this.to = to;
        this.fault = fault;
    }

    /**
     * Passes bytes on until their sender ends; the end is passed on, too. Fails when either side resets the connection.
     */
    void run() throws IOException {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            pass(buffer, count, out);
        }
        if (!fault.get().swallow()) {
            to.shutdownOutput();
        }
    }

    private void pass(byte[] bytes, int count, OutputStream out) throws IOException {
        int done = 0;
        while (done < count) {
            Fault now = fault.get();
            if (now.swallow()) {
                return;
            }
            pause(now.delay());
            int piece = Math.min(now.pieceBytes(), count - done);
            out.write(bytes, done, piece);
            done += piece;
        }
    }

    /** Waits for real time to pass: what is simulated is a slow network, which no test clock turns. */
    private static void pause(Duration duration) {
        long untilNs = CLOCK.nanoTime() + duration.toNanos();
        for (long leftNs = duration.toNanos(); leftNs > 0; leftNs = untilNs - CLOCK.nanoTime()) {
            LockSupport.parkNanos(leftNs);
        }
    }
}
