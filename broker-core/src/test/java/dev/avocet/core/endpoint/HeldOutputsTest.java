package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.time.SystemClock;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that answers each byte, and has a lease or none. */
@Timeout(30)
class HeldOutputsTest {
    private static final byte REFUSED = 'r';
    /** What is answered freely. */
    private static final byte FREE = 'f';

    private static final int A_WHILE_MS = 150;

    private volatile boolean lease = true;
    private EventLoops threads;
    private LoopGroup loops;
    private EndpointListener listener;

    @BeforeEach
    void start() throws IOException {
        threads = new EventLoops(Transport.best(), 1);
        loops = new LoopGroup(threads, new SystemClock(), new MemoryGuard(), () -> lease);
        ConnectionGuard guard =
                new ConnectionGuard(new ConnectionGuard.Limits(100, 100, 0), new MemoryGuard(), new SystemClock());
        listener = EndpointListener.bind(
                new EndpointOptions(
                        "test", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1 << 20, 10_000, 16),
                loops,
                guard,
                List.of(new EchoFrontEnd()));
    }

    @AfterEach
    void stop() {
        listener.close();
        loops.close();
        threads.close();
    }

    @Test
    void shouldHoldWhatIsSentWithoutALeaseAndSendAllOfItOnceThereIsOne() throws IOException {
        try (Socket client = connect()) {
            // given
            client.getOutputStream().write('a');
            assertThat(client.getInputStream().read()).isEqualTo('a');

            // when the lease is over
            lease = false;
            client.getOutputStream().write('b');
            client.getOutputStream().write('c');

            // then nothing comes
            client.setSoTimeout(A_WHILE_MS);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            // when there is one again
            lease = true;
            client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
            assertThat(client.getInputStream().readNBytes(2)).containsExactly('b', 'c');
        }
    }

    @Test
    void shouldAnswerWhoIsNotLetInWithoutALease() throws IOException {
        try (Socket client = connect()) {
            // given
            lease = false;

            // when
            client.getOutputStream().write(REFUSED);

            // then
            assertThat(client.getInputStream().read()).isEqualTo(REFUSED);

            // when it is let in
            client.getOutputStream().write('a');

            // then it waits as all do
            client.setSoTimeout(A_WHILE_MS);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void shouldSendWhatNeedsNoLeaseUnlessMoreIsHeldBefore() throws IOException {
        try (Socket client = connect()) {
            // given
            client.getOutputStream().write('a');
            assertThat(client.getInputStream().read()).isEqualTo('a');
            lease = false;

            // when
            client.getOutputStream().write(FREE);

            // then
            assertThat(client.getInputStream().read()).isEqualTo(FREE);

            // when something is held before it
            client.getOutputStream().write('b');
            client.setSoTimeout(A_WHILE_MS);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            client.getOutputStream().write(FREE);

            // then the order stays
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            lease = true;
            client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
            assertThat(client.getInputStream().readNBytes(2)).containsExactly('b', FREE);
        }
    }

    @Test
    void shouldSendNothingOfWhatItHoldsWhenTheBrokerIsClosed() throws IOException {
        try (Socket client = connect()) {
            // given
            client.getOutputStream().write('a');
            assertThat(client.getInputStream().read()).isEqualTo('a');
            lease = false;
            client.getOutputStream().write('b');
            client.setSoTimeout(A_WHILE_MS);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            // when
            loops.close();

            // then
            client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
            assertThat(client.getInputStream().read()).as("end of stream").isEqualTo(-1);
        }
    }

    private Socket connect() throws IOException {
        Socket client = new Socket();
        client.connect(listener.address());
        client.setTcpNoDelay(true);
        return client;
    }

    private static final class EchoFrontEnd implements FrontEnd {
        @Override
        public String protocol() {
            return "echo";
        }

        @Override
        public Recognition recognise(ByteBuf firstBytes) {
            return Recognition.YES;
        }

        @Override
        public void adopt(Channel channel, IoLoop loop, Admission admission) {
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object message) {
                    ByteBuf bytes = (ByteBuf) message;
                    if (bytes.getByte(bytes.readerIndex()) != REFUSED) {
                        admission.accepted();
                    }
                    if (bytes.getByte(bytes.readerIndex()) == FREE) {
                        admission.sendFreely(() -> context.writeAndFlush(message));
                    } else {
                        context.writeAndFlush(message);
                    }
                }
            });
        }
    }
}
