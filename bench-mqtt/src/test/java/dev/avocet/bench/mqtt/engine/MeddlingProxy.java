package dev.avocet.bench.mqtt.engine;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicInteger;

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

    private final Meddling meddling;
    private final int every;
    private final AtomicInteger meddled = new AtomicInteger();
    private final AtomicInteger holding = new AtomicInteger();
    private final PacketRelay relay;

    MeddlingProxy(int brokerPort, Meddling meddling, int every) throws IOException {
        this.meddling = meddling;
        this.every = every;
        relay = new PacketRelay(brokerPort, InputStream::transferTo, this::down);
    }

    int port() {
        return relay.port();
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
        relay.close();
    }

    private void down(InputStream from, OutputStream to) throws IOException {
        DataInputStream in = new DataInputStream(from);
        BufferedOutputStream out = new BufferedOutputStream(to);
        int counted = 0;
        byte[] held = null;
        byte[] previous = null;
        while (true) {
            byte[] packet = PacketRelay.packet(in);
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
            relay.pause(STALL_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
