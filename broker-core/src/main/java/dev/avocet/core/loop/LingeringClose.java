package dev.avocet.core.loop;

import dev.avocet.core.time.TimerWheel.Timer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection so that the client sees what it was sent last: the output is shut first, the input when the
 * client closes or a second later. A socket that is closed with unread input resets the connection, and the client
 * would never learn why.
 *
 * <p>It is added next to the socket only when the connection ends, so that the handlers above it write their own last
 * bytes before. Owned by the channel's event loop.
 */
public final class LingeringClose extends ChannelDuplexHandler {
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(1);

    private final IoLoop loop;
    private @Nullable Timer timer;

    private LingeringClose(IoLoop loop) {
        this.loop = loop;
    }

    /** Closes a channel whose last bytes have been flushed. */
    public static void close(Channel channel, IoLoop loop) {
        if (channel.isActive() && channel.pipeline().get(LingeringClose.class) == null) {
            channel.pipeline().addFirst(new LingeringClose(loop));
        }
        channel.close();
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (timer == null && context.channel() instanceof DuplexChannel duplex && duplex.isActive()) {
            timer = loop.timers().schedule(LINGER_NS, context::close);
            duplex.shutdownOutput();
            duplex.config().setAutoRead(true);
        } else {
            context.close(promise);
        }
    }

    /** Bytes that still come are read and dropped. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (timer != null) {
            timer.cancel();
        }
        context.fireChannelInactive();
    }
}
