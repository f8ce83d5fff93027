package dev.avocet.bench.mqtt.engine;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Stands between clients and a broker; what comes through in each direction decides who uses it. */
final class PacketRelay implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private final int brokerPort;
    private final Way up;
    private final Way down;

    /** One direction of a connection, to its end; in a thread of its own. */
    interface Way {
        void pass(InputStream from, OutputStream to) throws IOException;
    }

    PacketRelay(int brokerPort, Way up, Way down) throws IOException {
        this.brokerPort = brokerPort;
        this.up = up;
        this.down = down;
        start("accept", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Waits so long, or until it is closed. */
    void pause(long millis) throws InterruptedException {
        var unused = isClosed.await(millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() throws IOException {
        isClosed.countDown();
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Null at the end. */
    static byte @Nullable [] packet(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        byte[] head = new byte[5];
        head[0] = (byte) first;
        int headLength = 1;
        int length = 0;
        int digit;
        do {
            digit = in.readByte();
            head[headLength] = (byte) digit;
            length |= (digit & 0x7F) << 7 * (headLength++ - 1);
        } while (digit < 0);
        byte[] packet = new byte[headLength + length];
        System.arraycopy(head, 0, packet, 0, headLength);
        in.readFully(packet, headLength, length);
        return packet;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
            sockets.add(client);
            sockets.add(broker);
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            start("up", () -> {
                up.pass(client.getInputStream(), broker.getOutputStream());
                broker.shutdownOutput();
            });
            start("down", () -> {
                down.pass(broker.getInputStream(), client.getOutputStream());
                client.close();
            });
        }
    }

    private void start(String name, Io work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (EOFException gone) {
                        return;
                    } catch (IOException broken) {
                        if (isClosed.getCount() > 0 && !(broken instanceof SocketException)) {
                            throw new UncheckedIOException(broken);
                        }
                    }
                },
                "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private interface Io {
        void run() throws IOException;
    }
}
