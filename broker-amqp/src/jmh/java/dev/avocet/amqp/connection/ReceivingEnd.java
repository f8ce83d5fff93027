package dev.avocet.amqp.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/** The client at the other end of a connection: counts the messages that it is sent, and accepts them. */
final class ReceivingEnd extends ChannelOutboundHandlerAdapter {
    private static final int PERFORMATIVE_AT = 10;
    private static final int TRANSFER = 0x14;

    private int received;
    private int accepted;
    private int arrived;
    private boolean begun;

    /** From now on it is sent messages. */
    void begin() {
        begun = true;
    }

    @Override
    public void write(ChannelHandlerContext ignored, Object message, ChannelPromise promise) {
        ByteBuf bytes = (ByteBuf) message;
        if (begun) {
            count(bytes);
        }
        bytes.release();
    }

    @Override
    public void flush(ChannelHandlerContext ignored) {
        // there is nothing behind it
    }

    /** Accepts what has come; null when nothing has. */
    @Nullable ByteBuf accept() {
        arrived = received - accepted;
        if (arrived == 0) {
            return null;
        }
        ByteBuf frame = ClientFrames.accepted(accepted, received - 1);
        accepted = received;
        return frame;
    }

    /** How many messages were accepted last. */
    int arrived() {
        return arrived;
    }

    private void count(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            if (bytes.getByte(at + PERFORMATIVE_AT) == TRANSFER) {
                received++;
            }
            at += bytes.getInt(at);
        }
    }
}
