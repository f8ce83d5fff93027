package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.mqtt.wire.PacketHandler;
import dev.avocet.bench.mqtt.wire.PacketReader;
import io.netty.buffer.ByteBuf;

/** The beginning of a packet of which more is to come, on one connection. Owned by its lane's loop. */
final class PartialPacket {
    private static final byte[] NOTHING = new byte[0];

    private final Lane lane;
    private final PacketHandler handler;
    private byte[] kept = NOTHING;
    private int keptBytes;

    PartialPacket(Lane lane, PacketHandler handler) {
        this.lane = lane;
        this.handler = handler;
    }

    /** The connection is given up. May be called by the handler. */
    void forget() {
        kept = NOTHING;
        keptBytes = 0;
    }

    /** Hands on each packet that is whole now, and keeps the rest. */
    void read(ByteBuf buffer) {
        int added = buffer.readableBytes();
        int size = keptBytes + added;
        byte[] input = lane.input(size);
        System.arraycopy(kept, 0, input, 0, keptBytes);
        buffer.readBytes(input, keptBytes, added);
        int used = PacketReader.read(input, size, handler);
        keptBytes = size - used;
        if (keptBytes > kept.length) {
            kept = new byte[Integer.highestOneBit(keptBytes) * 2];
        }
        System.arraycopy(input, used, kept, 0, keptBytes);
    }
}
