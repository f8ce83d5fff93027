package dev.avocet.server.broker;

import dev.avocet.server.config.EndpointConfig;
import dev.avocet.server.config.ServerConfig;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Stands in until the messaging broker is wired: listens on every endpoint, accepts connections and closes them at once.
 *
 * <p>To be replaced; see {@link Wiring}.
 */
final class AcceptingBroker implements RunningBroker {
    private static final int STOP_SECONDS = 5;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<Channel> channels = new ArrayList<>();

    private AcceptingBroker() {}

    static RunningBroker start(ServerConfig config) throws CannotListenException {
        AcceptingBroker broker = new AcceptingBroker();
        for (EndpointConfig endpoint : config.endpoints()) {
            broker.listen(endpoint);
        }
        return broker;
    }

    private void listen(EndpointConfig endpoint) throws CannotListenException {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new CloseAtOnce())
                .bind(endpoint.address())
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close();
            throw new CannotListenException(
                    "endpoint '" + endpoint.name() + "'", endpoint.host() + ":" + endpoint.port(), bound.cause());
        }
        channels.add(bound.channel());
    }

    @Override
    public List<InetSocketAddress> endpoints() {
        return channels.stream()
                .map(channel -> (InetSocketAddress) channel.localAddress())
                .toList();
    }

    @Override
    public void close() {
        channels.forEach(channel -> channel.close().awaitUninterruptibly());
        group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Sharable
    private static final class CloseAtOnce extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            ChannelFuture unused = context.close();
        }
    }
}
