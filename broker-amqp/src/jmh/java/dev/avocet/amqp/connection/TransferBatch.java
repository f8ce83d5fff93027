package dev.avocet.amqp.connection;

import io.netty.buffer.ByteBuf;

/** Transfers of whole messages that a client sends at once, again and again, with new identifiers. */
final class TransferBatch {
    private final ByteBuf frames;
    private final int frameBytes;
    private final int identifierAt;
    private final int count;
    private int next;

    TransferBatch(int count) {
        this.count = count;
        ByteBuf frame = ClientFrames.transfer();
        this.frameBytes = frame.readableBytes();
        this.identifierAt = identifierAt(frame);
        this.frames = frame.alloc().directBuffer(count * frameBytes);
        for (int i = 0; i < count; i++) {
            frames.writeBytes(frame, frame.readerIndex(), frameBytes);
        }
        frame.release();
    }

    void release() {
        frames.release();
    }

    private static int identifierAt(ByteBuf frame) {
        int at = 0;
        while (frame.getInt(at) != ClientFrames.WIDE_IDENTIFIER) {
            at++;
        }
        return at;
    }

    /** The caller releases it. */
    ByteBuf next() {
        for (int i = 0; i < count; i++) {
            frames.setInt(i * frameBytes + identifierAt, next++);
        }
        return frames.retainedDuplicate();
    }
}
