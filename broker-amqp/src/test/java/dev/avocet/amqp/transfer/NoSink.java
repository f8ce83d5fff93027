package dev.avocet.amqp.transfer;

import dev.avocet.amqp.frame.FrameWriter;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;

/** Takes no frame. */
final class NoSink implements FrameSink {
    @Override
    public boolean isWritable() {
        return false;
    }

    @Override
    public void write(FrameWriter frame, boolean isFree) {
        throw new AssertionError("a frame");
    }

    @Override
    public void write(FrameWriter frame, Payload payload, int from, int bytes) {
        throw new AssertionError("a transfer");
    }

    @Override
    public void write(ProtonBuffer frame) {
        throw new AssertionError("an encoded frame");
    }
}
