package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DistanceTest {
    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void shouldKnowClientsOfThisMachineAsNearWhereTheTransportTells(Transport transport)
            throws IOException, InterruptedException {
        assumeTrue(transport.isAvailable());
        BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
        MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, transport.handlers());
        try {
            // given
            Channel listener = new ServerBootstrap()
                    .group(loop)
                    .channel(transport.serverChannel())
                    .childHandler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public boolean isSharable() {
                            return true;
                        }
                    })
                    .handler(new Accepting(accepted))
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .syncUninterruptibly()
                    .channel();
            int port = ((InetSocketAddress) listener.localAddress()).getPort();

            // then one of several connections, as the machine may be busy
            if (transport == Transport.EPOLL) {
                Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> isNear(port, accepted));
            } else {
                assertThat(isNear(port, accepted)).isFalse();
            }
        } finally {
            loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @Test
    void shouldTakeOtherChannelsForFar() {
        assertThat(Distance.isNear(new EmbeddedChannel())).isFalse();
    }

    private static boolean isNear(int port, BlockingQueue<Channel> accepted) throws IOException, InterruptedException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(client.isConnected()).isTrue();
            return Distance.isNear(accepted.take());
        }
    }

    private static final class Accepting extends ChannelInboundHandlerAdapter {
        private final BlockingQueue<Channel> accepted;

        Accepting(BlockingQueue<Channel> accepted) {
            this.accepted = accepted;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object connection) {
            accepted.add((Channel) connection);
            context.fireChannelRead(connection);
        }
    }
}
