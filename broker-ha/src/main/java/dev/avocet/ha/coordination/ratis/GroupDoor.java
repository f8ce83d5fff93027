package dev.avocet.ha.coordination.ratis;

import dev.avocet.core.time.LogPaces;
import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.NoMemberException;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.util.ReferenceCountUtil;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.Future;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way into the group's server: it says in the log who was not let in and why, which the library does not, and keeps
 * strangers from holding connections. One event loop serves all connections of the group.
 */
final class GroupDoor implements GrpcServices.Customizer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupDoor.class);
    private static final int UNPROVEN_MAX = 16;
    private static final long PROOF_MS = 5_000;
    private static final int PACES = 16;
    private static final long CLOSE_MS = 1_000;
    private static final int QUIET_MS = 50;

    /** A connection of HTTP/2 begins with PRI. */
    private static final int HTTP_2 = 'P';

    private final @Nullable MemberTls tls;
    private final LogPaces paces = new LogPaces(new SystemClock(), PACES);
    private final EventLoopGroup loop = new NioEventLoopGroup(1, new DefaultThreadFactory("coordination-group", true));

    /** Of the event loop. */
    private final Set<Channel> unproven = new LinkedHashSet<>();

    GroupDoor(@Nullable MemberTls tls) {
        this.tls = tls;
    }

    @Override
    public NettyServerBuilder customize(NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        return builder.channelFactory(Listening::new)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .handshakeTimeout(2 * PROOF_MS, TimeUnit.MILLISECONDS); // the visitor's limit comes first, and says why
    }

    /** Tells that there is no connection, a line a minute for each kind. */
    void refused(Object address, NoMemberException why) {
        long unsaid = paces.of(why.kind().name()).turn();
        if (unsaid >= 0) {
            LOG.warn(
                    "No votes with {}: it {}{}",
                    address,
                    why.getMessage(),
                    unsaid == 0 ? "" : " (and " + unsaid + " times more)");
        }
    }

    @Override
    public void close() {
        // Without a quiet time, a loop that is told to stop while it runs a task may leave its sockets open.
        loop.shutdownGracefully(QUIET_MS, CLOSE_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MS);
    }

    /** Puts a {@link Visitor} before all that the library does with a connection. */
    private final class Listening extends NioServerSocketChannel {
        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int before = accepted.size();
            int count = super.doReadMessages(accepted);
            for (Object each : accepted.subList(before, accepted.size())) {
                ((Channel) each).pipeline().addLast(new Visitor());
            }
            return count;
        }
    }

    /** A connection until it is known whose it is. */
    private final class Visitor extends ChannelInboundHandlerAdapter {
        private boolean hasBegun;
        private boolean isOver;
        private @Nullable ScheduledFuture<?> timer;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (unproven.size() >= UNPROVEN_MAX) {
                Channel oldest = unproven.iterator().next();
                unproven.remove(oldest);
                oldest.close();
            }
            unproven.add(context.channel());
            timer = context.executor()
                    .schedule(
                            () -> refuse(context.channel(), MemberTls.tooSlow(PROOF_MS)),
                            PROOF_MS,
                            TimeUnit.MILLISECONDS);
            context.fireChannelActive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            if (hasBegun || !in.isReadable()) {
                context.fireChannelRead(message);
                return;
            }
            int first = in.getUnsignedByte(in.readerIndex());
            NoMemberException mismatch = MemberTls.mismatch(tls, first, first == HTTP_2);
            if (mismatch != null) {
                ReferenceCountUtil.release(in);
                refuse(context.channel(), mismatch);
                return;
            }
            hasBegun = true;
            MemberTls own = tls;
            if (own == null) {
                forget(context.channel());
            } else {
                SslHandler handler = context.pipeline().get(SslHandler.class);
                handler.handshakeFuture().addListener(done -> judge(own, context.channel(), handler, done));
            }
            context.fireChannelRead(in);
        }

        private void judge(MemberTls own, Channel channel, SslHandler handler, Future<?> done) {
            NoMemberException why = null;
            if (done.isSuccess()) {
                try {
                    own.trustingAll().check(handler.engine().getSession(), true);
                } catch (NoMemberException e) {
                    why = e;
                }
            } else {
                why = own.explain(done.cause());
            }
            if (why != null) {
                refuse(channel, why);
            } else {
                forget(channel);
            }
        }

        private void refuse(Channel channel, NoMemberException why) {
            if (!isOver) {
                forget(channel);
                refused(channel.remoteAddress(), why);
                channel.close();
            }
        }

        private void forget(Channel channel) {
            isOver = true;
            unproven.remove(channel);
            ScheduledFuture<?> running = timer;
            if (running != null) {
                running.cancel(false);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            forget(context.channel());
            context.fireChannelInactive();
        }
    }
}
