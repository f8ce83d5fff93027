package dev.avocet.amqp.peer;

import dev.avocet.amqp.frame.FrameWriter;
import dev.avocet.amqp.transfer.FrameSink;
import dev.avocet.amqp.transfer.Payload;
import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.metrics.Traffic;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a connection has to send, gathered: everything that one batch of the loop produces for a client goes out in one
 * write and one flush. Larger amounts are written in between, so that the channel's water marks see them.
 *
 * <p>Owned by the connection's loop. A pooled buffer is held only between the first byte and the end of the batch.
 */
public final class OutputBuffer implements FrameSink {
    private static final int WRITE_BYTES = 48 << 10;
    private static final int FIRST_BYTES = 512;

    private final Channel channel;
    private final Traffic traffic;
    private final FrontEnd.Admission admission;
    private final Runnable schedule;
    private @Nullable ByteBuf pending;

    /** Whether what is pending tells nothing that another node of the pair could contradict. */
    private boolean isPendingFree;

    private @Nullable FrameTrace trace;
    /**
     * How large the next buffer begins: as the last one became and half as much again, so that it seldom grows while it
     * is filled.
     */
    private int firstBytes = FIRST_BYTES;

    private int messages;
    /** Whether anything was sent since the last question. */
    private boolean used;

    /** @param schedule called when there is something to {@link #flush} that was not there before */
    public OutputBuffer(Channel channel, Traffic traffic, FrontEnd.Admission admission, Runnable schedule) {
        this.channel = channel;
        this.traffic = traffic;
        this.admission = admission;
        this.schedule = schedule;
    }

    /** Traces what is sent from now on; null for nothing. */
    public void trace(@Nullable FrameTrace frameTrace) {
        trace = frameTrace;
    }

    public @Nullable FrameTrace trace() {
        return trace;
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Appends bytes, which are copied. */
    public void write(byte[] bytes) {
        ByteBuf unused = room(bytes.length, true).writeBytes(bytes);
    }

    @Override
    public void write(ProtonBuffer frame) {
        int length = frame.getReadableBytes();
        ByteBuf bytes = room(length, true);
        bytes.ensureWritable(length);
        frame.copyInto(frame.getReadOffset(), bytes.nioBuffer(bytes.writerIndex(), length), 0, length);
        bytes.writerIndex(bytes.writerIndex() + length);
        frame.close();
        sendMuch(bytes);
    }

    @Override
    public void write(FrameWriter frame, boolean isFree) {
        int length = frame.headBytes();
        ByteBuf bytes = room(length, isFree).ensureWritable(length);
        frame.write(bytes);
        sendMuch(bytes);
    }

    @Override
    public void write(FrameWriter frame, Payload payload, int from, int count) {
        int length = frame.headBytes() + count;
        ByteBuf bytes = room(length, false).ensureWritable(length);
        frame.write(bytes);
        payload.write(from, count, bytes);
        sendMuch(bytes);
    }

    private void sendMuch(ByteBuf bytes) {
        if (bytes.readableBytes() >= WRITE_BYTES) {
            send(bytes);
        }
    }

    /** Counts a message among those sent. */
    public void countMessage() {
        messages++;
    }

    /** Whether anything was sent since the last call. */
    public boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /** Sends what is pending now. */
    public void flush() {
        ByteBuf bytes = pending;
        if (bytes != null) {
            send(bytes);
        }
    }

    /** Drops what is pending; the connection is gone. */
    public void release() {
        if (pending != null) {
            pending.release();
            pending = null;
        }
    }

    private ByteBuf room(int length, boolean isFree) {
        used = true;
        ByteBuf bytes = pending;
        isPendingFree = isFree && (bytes == null || isPendingFree);
        if (bytes == null) {
            bytes = pending = channel.alloc().directBuffer(Math.max(firstBytes, length));
            schedule.run();
        }
        return bytes;
    }

    private void send(ByteBuf bytes) {
        pending = null;
        firstBytes = Math.max(FIRST_BYTES, Math.min(WRITE_BYTES, bytes.readableBytes() * 3 / 2));
        if (trace != null) {
            trace.sent(bytes);
        }
        traffic.sent(bytes.readableBytes(), messages);
        messages = 0;
        if (isPendingFree) {
            admission.sendFreely(() -> channel.writeAndFlush(bytes, channel.voidPromise()));
        } else {
            channel.writeAndFlush(bytes, channel.voidPromise());
        }
    }
}
