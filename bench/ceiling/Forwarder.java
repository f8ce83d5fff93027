import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ceiling of comparisons: what one event loop of Netty does when it only copies PUBLISH packets from publishers to
 * subscribers. MQTT 3.1.1, QoS 0 and 1, filters without wildcards and those that end in {@code /#}. It is no broker and
 * no start of one: it has no sessions, no queues, no limits, no checks; it acknowledges what it has not delivered.
 * Everything belongs to the one loop.
 *
 * <p>Run it with the libraries of the distribution:
 * {@code java -cp 'DISTRIBUTION/lib/*' bench/ceiling/Forwarder.java PORT}.
 */
public final class Forwarder {
    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int WRITE_BYTES = 48 * 1024;
    private static final int MAX_PACKET_ID = 0xFFFF;

    /** Who wants what. */
    private static final class Subscriptions {
        final Map<String, List<Outlet>> byName = new HashMap<>();
        final Map<String, List<Outlet>> byBranch = new HashMap<>();
        /** Changes with every subscription, so that publishers look again. */
        int edition;

        void add(String filter, Outlet outlet) {
            boolean isBranch = filter.endsWith("/#");
            String key = isBranch ? filter.substring(0, filter.length() - 2) : filter;
            (isBranch ? byBranch : byName).computeIfAbsent(key, absent -> new ArrayList<>()).add(outlet);
            edition++;
        }

        void remove(Outlet outlet) {
            byName.values().forEach(outlets -> outlets.remove(outlet));
            byBranch.values().forEach(outlets -> outlets.remove(outlet));
            edition++;
        }

        Outlet[] matches(String name) {
            List<Outlet> found = new ArrayList<>(byName.getOrDefault(name, List.of()));
            found.addAll(byBranch.getOrDefault(name, List.of()));
            for (int slash = name.lastIndexOf('/'); slash >= 0; slash = name.lastIndexOf('/', slash - 1)) {
                found.addAll(byBranch.getOrDefault(name.substring(0, slash), List.of()));
                if (slash == 0) {
                    break;
                }
            }
            return found.toArray(Outlet[]::new);
        }
    }

    /** The way to one subscriber: packets are gathered, and written together. */
    private static final class Outlet {
        final Channel channel;
        /** Publishers that are not read while the subscriber does not keep up. */
        final Set<Channel> held = new LinkedHashSet<>();

        private ByteBuf gathered;
        private boolean isTouched;
        private int packetId;

        Outlet(Channel channel) {
            this.channel = channel;
        }

        /** @return whether this is the first packet since the last flush */
        boolean add(ByteBuf from, int start, int length, int packetIdAt) {
            if (gathered == null) {
                gathered = channel.alloc().directBuffer(Math.max(CHUNK_BYTES, length));
            }
            int at = gathered.writerIndex();
            gathered.writeBytes(from, start, length);
            if (packetIdAt >= 0) {
                packetId = packetId == MAX_PACKET_ID ? 1 : packetId + 1;
                gathered.setShort(at + packetIdAt - start, packetId);
            }
            if (gathered.readableBytes() >= WRITE_BYTES) {
                write();
            }
            boolean isFirst = !isTouched;
            isTouched = true;
            return isFirst;
        }

        void flush() {
            write();
            isTouched = false;
            channel.flush();
        }

        private void write() {
            if (gathered != null) {
                channel.write(gathered, channel.voidPromise());
                gathered = null;
            }
        }

        void release() {
            held.forEach(publisher -> publisher.config().setAutoRead(true));
            held.clear();
        }
    }

    /** One connection, publisher or subscriber. */
    private static final class Connection extends ChannelInboundHandlerAdapter {
        private final Subscriptions subscriptions;
        private final List<Outlet> touched = new ArrayList<>();
        private ByteBuf unread;
        private ByteBuf answers;
        private Outlet outlet;
        private byte[] lastName = new byte[0];
        private Outlet[] lastRoute = new Outlet[0];
        private int lastEdition = -1;

        Connection(Subscriptions subscriptions) {
            this.subscriptions = subscriptions;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            if (unread != null) {
                ByteBuf whole = context.alloc().directBuffer(unread.readableBytes() + in.readableBytes());
                whole.writeBytes(unread).writeBytes(in);
                unread.release();
                in.release();
                unread = null;
                in = whole;
            }
            try {
                takePackets(context, in);
                if (in.isReadable()) {
                    unread = in.readBytes(in.readableBytes());
                }
            } finally {
                in.release();
            }
        }

        private void takePackets(ChannelHandlerContext context, ByteBuf in) {
            int start = in.readerIndex();
            int end = in.writerIndex();
            while (end - start >= 2) {
                int at = start + 1;
                int length = 0;
                int shift = 0;
                byte digit;
                do {
                    if (at == end) {
                        in.readerIndex(start);
                        return;
                    }
                    digit = in.getByte(at++);
                    length |= (digit & 0x7F) << shift;
                    shift += 7;
                } while (digit < 0);
                if (end - at < length) {
                    break;
                }
                take(context, in, start, at, at + length);
                start = at + length;
            }
            in.readerIndex(start);
        }

        private void take(ChannelHandlerContext context, ByteBuf in, int start, int body, int end) {
            int first = in.getUnsignedByte(start);
            switch (first >>> 4) {
                case 1 -> answer(context, 0x20, 2, 0, 0);
                case 3 -> forward(context, in, start, body, end, (first & 6) != 0);
                case 8 -> subscribe(context, in, body);
                case 12 -> answer(context, 0xD0, 0);
                case 14 -> context.close();
                default -> {
                    // Acknowledgements of subscribers: nothing is kept that they could release.
                }
            }
        }

        private void subscribe(ChannelHandlerContext context, ByteBuf in, int body) {
            int length = in.getUnsignedShort(body + 2);
            int qos = in.getByte(body + 4 + length);
            if (outlet == null) {
                outlet = new Outlet(context.channel());
            }
            subscriptions.add(in.toString(body + 4, length, StandardCharsets.UTF_8), outlet);
            answer(context, 0x90, 3, in.getByte(body), in.getByte(body + 1), Math.min(1, qos));
        }

        private void forward(
                ChannelHandlerContext context, ByteBuf in, int start, int body, int end, boolean isAcknowledged) {
            int nameLength = in.getUnsignedShort(body);
            int packetIdAt = isAcknowledged ? body + 2 + nameLength : -1;
            for (Outlet target : route(in, body + 2, nameLength)) {
                if (target.add(in, start, end - start, packetIdAt)) {
                    touched.add(target);
                }
            }
            if (isAcknowledged) {
                answer(context, 0x40, 2, in.getByte(packetIdAt), in.getByte(packetIdAt + 1));
            }
        }

        private Outlet[] route(ByteBuf in, int at, int length) {
            if (lastEdition != subscriptions.edition || !isLastName(in, at, length)) {
                lastName = new byte[length];
                in.getBytes(at, lastName);
                lastRoute = subscriptions.matches(new String(lastName, StandardCharsets.UTF_8));
                lastEdition = subscriptions.edition;
            }
            return lastRoute;
        }

        private boolean isLastName(ByteBuf in, int at, int length) {
            if (length != lastName.length) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                if (in.getByte(at + i) != lastName[i]) {
                    return false;
                }
            }
            return true;
        }

        private void answer(ChannelHandlerContext context, int... bytes) {
            if (answers == null) {
                answers = context.alloc().directBuffer(1024);
            }
            for (int value : bytes) {
                answers.writeByte(value);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            for (Outlet target : touched) {
                target.flush();
                if (!target.channel.isWritable() && target.channel.isActive()) {
                    context.channel().config().setAutoRead(false);
                    target.held.add(context.channel());
                }
            }
            touched.clear();
            if (answers != null) {
                context.writeAndFlush(answers, context.voidPromise());
                answers = null;
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (outlet != null && context.channel().isWritable()) {
                outlet.release();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (unread != null) {
                unread.release();
                unread = null;
            }
            if (outlet != null) {
                subscriptions.remove(outlet);
                outlet.release();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private Forwarder() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("usage: Forwarder PORT, which it listens on at the loopback address, not " + Arrays.toString(arguments));
            System.exit(2);
        }
        Subscriptions subscriptions = new Subscriptions();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(256 * 1024, 512 * 1024))
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Connection(subscriptions));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }
}
