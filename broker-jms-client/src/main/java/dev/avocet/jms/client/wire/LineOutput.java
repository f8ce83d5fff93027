package dev.avocet.jms.client.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What a line has to send: bytes of one turn go out together. On the event loop they go through the channel; on another
 * thread they go to the socket itself, while the channel has none to write.
 *
 * <p>Owned by the connection's turn.
 */
final class LineOutput {
    private static final int BATCH_BYTES = 16 * 1024;

    private final ChannelHandlerContext to;
    /** The socket that other threads may write to; null: only the event loop does. */
    private volatile @Nullable EpollSocketChannel direct;
    /** Filled by a thread that is not the event loop, before the batch. */
    private final Deque<ByteBuf> full = new ArrayDeque<>();

    private @Nullable ByteBuf batch;

    /** @param plain the bytes go to the socket as they are, as there is no TLS */
    LineOutput(final ChannelHandlerContext to, final boolean plain) {
        this.to = to;
        this.direct = plain && to.channel() instanceof final EpollSocketChannel socket ? socket : null;
    }

    /** Threads other than the event loop may write to the socket. */
    boolean isDirect() {
        return direct != null;
    }

    /**
     * The batch, with room for so many bytes more. A full one is handed over, so that the channel's water marks see it,
     * and no copy makes it larger.
     */
    ByteBuf room(final int bytes) {
        ByteBuf open = batch;
        if (open != null && open.writableBytes() < bytes) {
            full.add(open);
            open = null;
            if (to.executor().inEventLoop()) {
                handOver();
            }
        }
        if (open == null) {
            open = to.alloc().ioBuffer(Math.max(BATCH_BYTES, bytes));
            batch = open;
        }
        return open;
    }

    /** Sends everything; false: the event loop has to call it once more. */
    boolean flush() {
        final ByteBuf last = batch;
        if (last == null) {
            return true;
        }
        if (!to.executor().inEventLoop()) {
            return full.isEmpty() && write(last);
        }
        batch = null;
        handOver();
        to.writeAndFlush(last, to.voidPromise());
        return true;
    }

    private void handOver() {
        for (ByteBuf first = full.poll(); first != null; first = full.poll()) {
            to.write(first, to.voidPromise());
        }
    }

    /** From now on only the event loop writes; any thread. A write that has begun may go on. */
    void loopOnly() {
        direct = null;
    }

    /**
     * Writes to the socket past the channel. A socket must not be closed meanwhile, as another one may have its number
     * then: the channel, which does not know of this, closes it when it fails, and {@link Line} hears of that before.
     */
    private boolean write(final ByteBuf bytes) {
        final EpollSocketChannel socket = direct;
        final ChannelOutboundBuffer before =
                socket == null ? null : socket.unsafe().outboundBuffer();
        if (socket == null || before == null || before.totalPendingWriteBytes() > 0) {
            return false;
        }
        try {
            final int written =
                    ((Socket) socket.fd()).sendAddress(bytes.memoryAddress(), bytes.readerIndex(), bytes.writerIndex());
            bytes.skipBytes(Math.max(0, written));
        } catch (final IOException e) {
            return false; // the event loop meets it too, and says so
        }
        if (bytes.isReadable()) {
            return false;
        }
        batch = null;
        bytes.release();
        return true;
    }

    /** Nothing more is sent. */
    void clear() {
        full.forEach(ByteBuf::release);
        full.clear();
        if (batch != null) {
            batch.release();
            batch = null;
        }
    }
}
