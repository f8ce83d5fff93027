package dev.avocet.bench.mqtt.engine;

import java.io.BufferedOutputStream;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Stands between clients and a broker, and does something to each so many-th message on its way to the clients. */
final class MeddlingProxy implements AutoCloseable {
    /** What it does. */
    enum Meddling {
        NONE,
        DROP,
        /** The one before it comes once more. */
        DOUBLE,
        /** It follows the one behind it. */
        REORDER,
        CORRUPT,
        /** Holds up everything to that client, once. */
        STALL,
        /** Says in CONNACK that there was no session. */
        FORGET,
        /** Swallows PUBACK. */
        WITHHOLD
    }

    static final long STALL_MS = 500;
    private static final int CONNACK = 2;
    private static final int PUBLISH = 3;
    private static final int PUBACK = 4;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private final int brokerPort;
    private final Meddling meddling;
    private final int every;
    private final AtomicInteger meddled = new AtomicInteger();
    private final AtomicInteger holding = new AtomicInteger();

    MeddlingProxy(int brokerPort, Meddling meddling, int every) throws IOException {
        this.brokerPort = brokerPort;
        this.meddling = meddling;
        this.every = every;
        start("accept", this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** How many messages it has done something to. */
    int meddled() {
        return meddled.get();
    }

    /** How many messages wait for the one that they are to follow. */
    int holding() {
        return holding.get();
    }

    @Override
    public void close() throws IOException {
        isClosed.countDown();
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
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
                client.getInputStream().transferTo(broker.getOutputStream());
                broker.shutdownOutput();
            });
            start("down", () -> {
                down(broker.getInputStream(), client.getOutputStream());
                client.close();
            });
        }
    }

    private void down(InputStream from, OutputStream to) throws IOException {
        DataInputStream in = new DataInputStream(from);
        BufferedOutputStream out = new BufferedOutputStream(to);
        int counted = 0;
        byte[] held = null;
        byte[] previous = null;
        while (true) {
            byte[] packet = packet(in);
            if (packet == null) {
                return;
            }
            int type = packet[0] >> 4 & 0xF;
            boolean counts = type == meddledType();
            boolean isChosen = counts && ++counted % every == 0;
            if (isChosen && meddling == Meddling.REORDER) {
                held = packet;
                holding.incrementAndGet();
                continue;
            }
            if (isChosen && meddling == Meddling.DOUBLE) {
                meddled.incrementAndGet();
                out.write(previous);
            }
            pass(packet, isChosen, out);
            if (held != null && counts) {
                meddled.incrementAndGet();
                holding.decrementAndGet();
                out.write(held);
                held = null;
            }
            previous = counts ? packet : previous;
            if (in.available() == 0) {
                out.flush();
            }
        }
    }

    private int meddledType() {
        return switch (meddling) {
            case STALL, WITHHOLD -> PUBACK;
            case FORGET -> CONNACK;
            case NONE, DROP, DOUBLE, REORDER, CORRUPT -> PUBLISH;
        };
    }

    private void pass(byte[] packet, boolean isChosen, OutputStream out) throws IOException {
        if (!isChosen) {
            out.write(packet);
            return;
        }
        switch (meddling) {
            case DROP, WITHHOLD -> meddled.incrementAndGet();
            case CORRUPT -> {
                meddled.incrementAndGet();
                packet[packet.length - 1] ^= 1;
                out.write(packet);
            }
            case FORGET -> {
                meddled.incrementAndGet();
                packet[2] = 0;
                out.write(packet);
            }
            case STALL -> {
                if (meddled.getAndIncrement() == 0) {
                    await();
                }
                out.write(packet);
            }
            case NONE, DOUBLE, REORDER -> out.write(packet);
        }
    }

    private void await() {
        try {
            if (isClosed.await(STALL_MS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
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
