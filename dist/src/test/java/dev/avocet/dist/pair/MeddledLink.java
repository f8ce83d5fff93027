package dev.avocet.dist.pair;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The network between two members: takes connections at one port and passes their bytes on to another, unless it is cut
 * in a direction. What is sent into a cut waits, as TCP has it, and arrives once the cut is healed. Thread-safe.
 */
final class MeddledLink implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int LOOK_MS = 1;

    private final int target;
    private final ServerSocket listener;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile boolean cutThere;
    private volatile boolean cutBack;
    private volatile int delayMs;

    /**
     * @param port where it is reached
     * @param target where it passes bytes on to, on loopback
     */
    MeddledLink(int port, int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        run(this::accept);
    }

    /**
     * @param there from who connects to who listens
     * @param back the other direction
     */
    void cut(boolean there, boolean back) {
        cutThere = there;
        cutBack = back;
    }

    /** Each piece that comes, in either direction, waits so long. */
    void delay(int milliseconds) {
        delayMs = milliseconds;
    }

    /** Both ends lose their connections, and may make new ones. */
    void reset() {
        open.forEach(MeddledLink::closeQuietly);
        open.clear();
    }

    void heal() {
        cut(false, false);
        delay(0);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        heal();
        reset();
    }

    private void accept() {
        while (!listener.isClosed()) {
            Socket from = null;
            try {
                from = listener.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                Socket accepted = from;
                from.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                open.addAll(List.of(from, to));
                run(() -> pump(accepted, to, true));
                run(() -> pump(to, accepted, false));
            } catch (IOException e) {
                if (from != null) {
                    closeQuietly(from); // nobody listens behind it
                }
            }
        }
    }

    private void pump(Socket from, Socket to, boolean there) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                pause(delayMs);
                while ((there ? cutThere : cutBack) && !from.isClosed()) {
                    pause(LOOK_MS);
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            closeQuietly(to); // one of the ends has gone
        }
        open.removeAll(List.of(from, to));
    }

    private static void pause(int milliseconds) {
        if (milliseconds > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
        }
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task, "meddled link");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket does not close", e);
        }
    }
}
