package dev.avocet.jms;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between client and server; can keep the server's answers to itself, and cut the line. */
final class DeafProxy {
    private final ServerSocket listening;
    private final int serverPort;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean deaf;

    DeafProxy(final int serverPort) throws IOException {
        this.serverPort = serverPort;
        listening = new ServerSocket(0);
        thread(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** From now on nothing comes back; what the client sends arrives. */
    void keepAnswers() {
        deaf = true;
    }

    /** Cuts all lines; new ones are as they should be. */
    void cut() throws IOException {
        for (final Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
        deaf = false;
    }

    void close() throws IOException {
        listening.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                final Socket client = listening.accept();
                final Socket server = new Socket("localhost", serverPort);
                sockets.add(client);
                sockets.add(server);
                thread(() -> copy(client, server, false));
                thread(() -> copy(server, client, true));
            }
        } catch (final IOException e) {
            // Closed: the end of the test.
            deaf = false;
        }
    }

    private void copy(final Socket from, final Socket to, final boolean answers) {
        try (from;
                to) {
            final InputStream input = from.getInputStream();
            final OutputStream output = to.getOutputStream();
            final byte[] bytes = new byte[8192];
            for (int count = input.read(bytes); count >= 0; count = input.read(bytes)) {
                if (!answers || !deaf) {
                    output.write(bytes, 0, count);
                }
            }
        } catch (final IOException e) {
            // Cut, on purpose.
            return;
        }
    }

    private static void thread(final Runnable task) {
        final Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
