import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A line that is longer than the loopback address: it hands on what comes, each piece after half of a round trip, in
 * order and without a limit of its rate. For each port that it relays it relays the one behind it too, as the members
 * of a pair use both. Everything belongs to one loop.
 *
 * <p>Run it with the libraries of the distribution:
 * {@code java -cp 'DISTRIBUTION/lib/*' bench/relay/Relay.java ROUND_TRIP_MS FROM_HOST:PORT=TO_HOST:PORT...}.
 */
public final class Relay {
    private final long delayNs;
    private final EventLoopGroup loop;

    private Relay(long delayNs, EventLoopGroup loop) {
        this.delayNs = delayNs;
        this.loop = loop;
    }

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length < 2) {
            System.err.println("usage: Relay ROUND_TRIP_MS FROM_HOST:PORT=TO_HOST:PORT...");
            System.exit(2);
        }
        long delayNs = (long) (Double.parseDouble(arguments[0]) * TimeUnit.MILLISECONDS.toNanos(1) / 2);
        Relay relay = new Relay(delayNs, new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory()));
        for (String way : Arrays.copyOfRange(arguments, 1, arguments.length)) {
            String[] ends = way.split("=", -1);
            for (int next : List.of(0, 1)) {
                relay.listen(address(ends[0], next), address(ends[1], next));
            }
        }
    }

    private static InetSocketAddress address(String text, int next) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)) + next);
    }

    private void listen(InetSocketAddress from, InetSocketAddress to) throws InterruptedException {
        new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel near) {
                        dial(near, to);
                    }
                })
                .bind(from)
                .sync();
    }

    private void dial(Channel near, InetSocketAddress to) {
        ChannelFuture dialled = new Bootstrap()
                .group(near.eventLoop())
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel far) {
                        far.pipeline().addLast(new Half(near));
                    }
                })
                .connect(to);
        Channel far = dialled.channel();
        near.pipeline().addLast(new Half(far));
        dialled.addListener((ChannelFutureListener) done -> {
            if (done.isSuccess()) {
                near.config().setAutoRead(true);
                far.config().setAutoRead(true);
            } else {
                near.close();
            }
        });
    }

    /** One end of a connection, which hands on to the other one. */
    private final class Half extends ChannelInboundHandlerAdapter {
        private final Channel other;

        Half(Channel other) {
            this.other = other;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object piece) {
            later(context, () -> other.writeAndFlush(piece));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            later(context, other::close);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }

        private void later(ChannelHandlerContext context, Runnable task) {
            context.executor().schedule(task, delayNs, TimeUnit.NANOSECONDS);
        }
    }
}
