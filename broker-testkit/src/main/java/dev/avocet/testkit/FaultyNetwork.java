package dev.avocet.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A network between clients and a server on this machine that fails when a test says so. Clients connect to
 * {@link #port}; what they and the server send goes through one {@link Pipe} for each direction, and faults are set for
 * all connections at once, those that exist and those to come.
 *
 * <pre>{@code
 * try (FaultyNetwork network = FaultyNetwork.to(broker.port());
 *         RawClient client = RawClient.connected(network.port(), "client")) {
 *     network.halfOpen();    // neither side hears anything more, nor learns that the other is gone
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class FaultyNetwork implements AutoCloseable {
    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private final AtomicReference<Fault> toServer = new AtomicReference<>(Fault.NONE);
    private final AtomicReference<Fault> toClient = new AtomicReference<>(Fault.NONE);
    private volatile boolean closed;

    private FaultyNetwork(int targetPort) throws IOException {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        daemon("faulty-network-" + listener.getLocalPort(), this::accept);
    }

    /** A network without faults, so far, in front of a port of this machine. */
    public static FaultyNetwork to(int targetPort) {
        try {
            return new FaultyNetwork(targetPort);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Connections that are open. */
    public int connectionCount() {
        return links.size();
    }

    /** What happens to bytes on their way to the server from now on. */
    public void toServer(Fault fault) {
        toServer.set(fault);
    }

    /** What happens to bytes on their way to the clients from now on. */
    public void toClient(Fault fault) {
        toClient.set(fault);
    }

    /**
     * Swallows everything in both directions, silently: each side believes that the other is there and says nothing.
     */
    public void halfOpen() {
        toServer(Fault.BLACKHOLE);
        toClient(Fault.BLACKHOLE);
    }

    /** Bytes flow again. What was swallowed is lost, as no real network would lose it: expect a broken stream. */
    public void heal() {
        toServer(Fault.NONE);
        toClient(Fault.NONE);
    }

    /** Resets all connections on both sides. */
    public void cut() {
        links.forEach(Link::reset);
    }

    @Override
    public void close() {
        closed = true;
        closeQuietly(listener);
        links.forEach(Link::reset);
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listener.accept();
                connect(client);
            } catch (IOException e) {
                closed = true; // the listener was closed
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        try {
            server.connect(target);
        } catch (IOException e) {
            client.setSoLinger(true, 0);
            client.close();
            return;
        }
        Link link = new Link(client, server);
        links.add(link);
        link.start();
        if (closed) {
            link.reset();
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One connection through the network. */
    private final class Link {
        private final Socket client;
        private final Socket server;

        Link(Socket client, Socket server) throws SocketException {
            this.client = client;
            this.server = server;
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        }

        void start() {
            daemon("to-server", () -> run(new Pipe(client, server, toServer::get)));
            daemon("to-client", () -> run(new Pipe(server, client, toClient::get)));
        }

        void reset() {
            links.remove(this);
            reset(client);
            reset(server);
        }

        private void run(Pipe pipe) {
            try {
                pipe.run();
            } catch (IOException e) {
                reset(); // one side has reset the connection: so is the other's
            }
            if (client.isOutputShutdown() && server.isOutputShutdown()) {
                links.remove(this);
                closeQuietly(client);
                closeQuietly(server);
            }
        }

        private void reset(Socket socket) {
            try {
                socket.setSoLinger(true, 0);
            } catch (SocketException e) {
                return; // closed already
            }
            closeQuietly(socket);
        }
    }

    /**
     * What happens to bytes in one direction.
     *
     * @param swallow they vanish, and so does the end of the stream
     * @param delay how long each piece takes; pieces behind it wait
     * @param pieceBytes how many bytes go at a time
     */
    public record Fault(boolean swallow, Duration delay, int pieceBytes) {
        /** They arrive. */
        public static final Fault NONE = new Fault(false, Duration.ZERO, Pipe.BUFFER_BYTES);
        /** They vanish. */
        public static final Fault BLACKHOLE = new Fault(true, Duration.ZERO, Pipe.BUFFER_BYTES);

        public Fault {
            if (pieceBytes < 1 || pieceBytes > Pipe.BUFFER_BYTES) {
                throw new IllegalArgumentException("pieceBytes is 1 to " + Pipe.BUFFER_BYTES + ", not " + pieceBytes);
            }
        }

        /** They arrive late. */
        public static Fault delay(Duration delay) {
            return new Fault(false, delay, Pipe.BUFFER_BYTES);
        }

        /** They arrive a few at a time. */
        public static Fault dribble(int bytes, Duration interval) {
            return new Fault(false, interval, bytes);
        }
    }
}
