package dev.avocet.ha.link;

import dev.avocet.core.time.Clock;
import dev.avocet.core.time.LogPaces;
import dev.avocet.ha.role.PairMessage;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's end of the link: it dials until it gets through, or listens, and has at most one link at a time. A new
 * one takes the place of the one before, whose end may not have been noticed yet.
 *
 * <p>Thread-safe. Its channels belong to one event loop, which is the caller's.
 */
public final class LinkEnd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkEnd.class);
    private static final int UNPROVEN_MAX = 8;
    private static final int REDIAL_MS = 200;
    private static final int PACES = 16;

    /** Records come in frames of this size, if many come: read at once they need not be put together. */
    private static final int READ_BYTES_MAX = 512 << 10;

    private final LinkSettings settings;
    private final InetSocketAddress address;
    private final Supplier<LinkState> state;
    private final LinkListener listener;
    private final LogPaces paces;
    private final SecureRandom random = new SecureRandom();
    private final EventLoopGroup loop;

    // Of the event loop.
    private @Nullable LinkConnection current;
    private @Nullable Channel listening;
    private long links;
    private final Set<Channel> unproven = new LinkedHashSet<>();

    /** Every open channel; one that opens after all were closed is closed at once. */
    private final ChannelGroup channels = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

    private volatile boolean closed;

    /**
     * @param address of the partner, for the end that dials; otherwise where this end listens
     * @param loop one event loop, which is closed after this
     */
    public LinkEnd(
            LinkSettings settings,
            InetSocketAddress address,
            Supplier<LinkState> state,
            LinkListener listener,
            Clock clock,
            EventLoopGroup loop) {
        this.settings = settings;
        this.address = address;
        this.state = state;
        this.listener = listener;
        this.paces = new LogPaces(clock, PACES);
        this.loop = loop;
    }

    /** Begins to dial, or listens from when this returns. */
    public void start() throws IOException {
        if (settings.dials()) {
            loop.execute(this::dial);
            return;
        }
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .childHandler(new Entrance())
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new IOException(
                    "The link of " + settings + " cannot listen at " + address + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        channels.add(bound.channel());
        listening = bound.channel();
    }

    /** Where this end listens. */
    public int port() {
        Channel channel = listening;
        return channel == null ? 0 : ((InetSocketAddress) channel.localAddress()).getPort();
    }

    private static RecvByteBufAllocator reads() {
        return new AdaptiveRecvByteBufAllocator(64, 16 << 10, READ_BYTES_MAX);
    }

    private void dial() {
        if (closed) {
            return;
        }
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, reads())
                .option(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(settings.handshake().toMillis()))
                .handler(new Entrance())
                .connect(address)
                .addListener((ChannelFuture dialed) -> {
                    if (dialed.isSuccess()) {
                        dialed.channel().closeFuture().addListener(ended -> redial());
                    } else {
                        redial();
                    }
                });
    }

    private void redial() {
        if (!closed) {
            loop.schedule(this::dial, REDIAL_MS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        closed = true;
        // A loop of Netty that is told to stop while it runs a task may end without a look at its channels.
        channels.close().awaitUninterruptibly();
    }

    /** How a handshake ends. */
    interface Outcome {
        void proven(ChannelHandlerContext context, LinkState peer, int version);

        void refused(ChannelHandlerContext context, LinkRefusal refusal);
    }

    /** A connection before it is a link. */
    private final class Entrance extends ChannelInitializer<Channel> implements Outcome {
        @Override
        public boolean isSharable() {
            return true;
        }

        @Override
        protected void initChannel(Channel channel) {
            channels.add(channel);
            makeRoom();
            unproven.add(channel);
            channel.closeFuture().addListener(closing -> unproven.remove(channel));
            LinkTls tls = settings.tls();
            Handshake handshake = new Handshake(settings, state, random, this);
            channel.pipeline().addLast(new FirstByte(settings, handshake));
            if (tls != null) {
                channel.pipeline().addLast(tls.newHandler(channel.alloc(), settings.dials()));
            }
            channel.pipeline().addLast(new Frames(), handshake);
        }

        /** Strangers keep no more places than these, and not for long; nor do they keep the partner out with them. */
        private void makeRoom() {
            if (unproven.size() >= UNPROVEN_MAX) {
                Channel oldest = unproven.iterator().next();
                unproven.remove(oldest);
                oldest.close();
            }
        }

        @Override
        public void proven(ChannelHandlerContext context, LinkState peer, int version) {
            Channel channel = context.channel();
            unproven.remove(channel);
            LinkConnection before = current;
            if (before != null) {
                before.close("there is a newer link");
            }
            LinkConnection link = new LinkConnection(++links, settings, peer, version, channel, new Ended());
            current = link;
            channel.pipeline().get(Frames.class).allow(settings.frameMaxBytes());
            channel.pipeline()
                    .addLast(
                            new IdleStateHandler(
                                    settings.silence().toMillis(),
                                    settings.ping().toMillis(),
                                    0,
                                    TimeUnit.MILLISECONDS),
                            link);
            channel.pipeline().remove(Handshake.class);
            LOG.info(
                    "The link to {} is up: {}{}",
                    settings.partner(),
                    channel.remoteAddress(),
                    version < settings.versions().latest()
                            ? ", with version " + version + " of the link, as the other node is older"
                            : "");
            listener.up(link);
            link.begin();
        }

        @Override
        public void refused(ChannelHandlerContext context, LinkRefusal refusal) {
            long unsaid = paces.of(refusal.reason().name()).turn();
            if (unsaid >= 0) {
                LOG.warn(
                        "No link with {}: it {}{}",
                        context.channel().remoteAddress(),
                        refusal.text(),
                        unsaid == 0 ? "" : " (and " + unsaid + " times more)");
            }
            listener.refused(refusal);
        }
    }

    /** Forgets a link that has ended, and passes everything on. */
    private final class Ended implements LinkListener {
        @Override
        public void up(LinkConnection link) {
            listener.up(link);
        }

        @Override
        public void received(LinkConnection link, PairMessage message) {
            if (link.equals(current)) {
                listener.received(link, message);
            }
        }

        @Override
        public void hasCredit(LinkConnection link) {
            listener.hasCredit(link);
        }

        @Override
        public void down(LinkConnection link, String why) {
            if (link.equals(current)) {
                current = null;
            }
            LOG.info("The link to {} is down: {}", settings.partner(), why);
            listener.down(link, why);
        }

        @Override
        public void refused(LinkRefusal refusal) {
            listener.refused(refusal);
        }
    }
}
