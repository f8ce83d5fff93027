package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventLoopsTest {
    private static final int PATIENCE_S = 30;

    @ParameterizedTest
    @MethodSource("available")
    void shouldCloseItsConnectionsEvenWhenItIsStoppedWithinATask(Transport transport) throws Exception {
        EventLoops loops = new EventLoops(transport, 1);
        CountDownLatch accepted = new CountDownLatch(1);
        CountDownLatch removed = new CountDownLatch(1);
        try (Socket client = new Socket()) {
            client.connect(listen(loops, accepted, removed));
            client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_S));
            assertThat(accepted.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();

            // when the loop learns in the midst of a task that it is to stop
            CountDownLatch begun = new CountDownLatch(1);
            loops.all().get(0).execute(() -> {
                begun.countDown();
                Awaitility.await().until(() -> loops.group().isShuttingDown());
            });
            assertThat(begun.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
            loops.close();

            // then
            assertThat(client.getInputStream().read()).as("end of stream").isEqualTo(-1);
            assertThat(removed.getCount()).as("handlers that hold something").isZero();
        }
    }

    static Stream<Transport> available() {
        return Arrays.stream(Transport.values()).filter(Transport::isAvailable);
    }

    private static InetSocketAddress listen(EventLoops loops, CountDownLatch accepted, CountDownLatch removed)
            throws IOException {
        Channel listener = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.transport().serverChannel())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection.pipeline().addLast(new Watched(accepted, removed));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .awaitUninterruptibly()
                .channel();
        return (InetSocketAddress) listener.localAddress();
    }

    private static final class Watched extends ChannelInboundHandlerAdapter {
        private final CountDownLatch accepted;
        private final CountDownLatch removed;

        Watched(CountDownLatch accepted, CountDownLatch removed) {
            this.accepted = accepted;
            this.removed = removed;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            accepted.countDown();
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            removed.countDown();
        }
    }
}
