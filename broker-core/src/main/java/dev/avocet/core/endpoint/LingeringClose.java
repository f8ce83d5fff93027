package dev.avocet.core.endpoint;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection in two steps: the output at once, the rest when the client has closed its side or a second later. A socket
 * that is closed with unread input resets the connection, and the client would lose the packet that told it why.
 *
 * <p>First handler of every connection, one for all; a second {@code close} does not wait any more.
 */
@Sharable
final class LingeringClose extends ChannelOutboundHandlerAdapter {
    static final LingeringClose INSTANCE = new LingeringClose();

    private static final long LINGER_MS = 1_000;

    private LingeringClose() {}

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (context.channel() instanceof DuplexChannel duplex && duplex.isActive() && !duplex.isOutputShutdown()) {
            duplex.shutdownOutput();
            context.channel().config().setAutoRead(true);
            context.executor().schedule(() -> context.close(promise), LINGER_MS, TimeUnit.MILLISECONDS);
        } else {
            context.close(promise);
        }
    }
}
