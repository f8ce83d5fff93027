package dev.avocet.bench.agent;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A way to an address that can be cut: nothing more comes through, and nobody is told. */
final class CuttableLine implements Closeable {
    private final InetSocketAddress to;
    private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final List<Closeable> open = new CopyOnWriteArrayList<>();
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private volatile boolean isCut;

    CuttableLine(InetSocketAddress to) throws IOException {
        this.to = to;
        open.add(server);
        start(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    void cut() {
        isCut = true;
    }

    private void accept() throws IOException {
        while (true) {
            Socket near = server.accept();
            Socket far = new Socket(to.getAddress(), to.getPort());
            open.add(near);
            open.add(far);
            start(() -> forward(near, far));
            start(() -> forward(far, near));
        }
    }

    private void forward(Socket from, Socket into) throws IOException {
        InputStream in = from.getInputStream();
        OutputStream out = into.getOutputStream();
        byte[] bytes = new byte[4096];
        for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
            if (isCut) {
                awaitClosed();
                return;
            }
            out.write(bytes, 0, read);
        }
        if (!isCut) {
            into.close();
        }
    }

    private void awaitClosed() {
        try {
            isClosed.await();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException over) {
                        // One of the two has gone.
                        return;
                    }
                },
                "line");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        isClosed.countDown();
        for (Closeable each : open) {
            each.close();
        }
    }
}
