import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Decoder;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.security.SaslCode;
import org.apache.qpid.protonj2.types.security.SaslInit;
import org.apache.qpid.protonj2.types.security.SaslMechanisms;
import org.apache.qpid.protonj2.types.security.SaslOutcome;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Close;
import org.apache.qpid.protonj2.types.transport.Detach;
import org.apache.qpid.protonj2.types.transport.Disposition;
import org.apache.qpid.protonj2.types.transport.End;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;

/**
 * The ceiling of comparisons over JMS: what one event loop of Netty does when it only copies AMQP 1.0 transfers from
 * senders to receivers. Links with the same address belong together: those of a queue and of a shared subscription take
 * turns, those of a topic each get all. It is no broker and no start of one: no persistence, limits, selectors,
 * transactions or checks; it accepts what it has not delivered, and forgets what is in flight when a receiver goes.
 * Transfers are read and written by hand, all other performatives by ProtonJ2. Everything belongs to the one loop.
 *
 * <p>Run it with the libraries of the distribution:
 * {@code java -cp 'DISTRIBUTION/lib/*' bench/ceiling/AmqpForwarder.java PORT}.
 */
public final class AmqpForwarder {
    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int WRITE_BYTES = 48 * 1024;
    private static final int FRAME_HEADER_BYTES = 8;
    private static final int MAX_FRAME_BYTES = 128 * 1024;
    private static final int TRANSFER = 0x14;
    private static final int SASL_FRAME = 1;
    private static final long WINDOW = 0x7fff_ffff;
    /** What one sender may have under way, and when it gets as much again. */
    private static final int CREDIT = 1_000;
    private static final byte[] AMQP_HEADER = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};
    private static final byte[] SASL_HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};
    private static final Symbol TOPIC = Symbol.valueOf("topic");

    /** The receivers and the waiting messages of an address. */
    private static final class Node {
        final List<Outlet> outlets = new ArrayList<>();
        /** Senders that get no credit while messages wait. */
        final Set<Inlet> held = new HashSet<>();

        private final Queue<ByteBuf> waiting = new ArrayDeque<>();
        private int next;

        /** @param body the sections of a message; stays the caller's */
        void add(ByteBuf in, int start, int length, Set<Connection> touched) {
            Outlet outlet = waiting.isEmpty() ? withCredit() : null;
            if (outlet == null) {
                waiting.add(in.retainedSlice(start, length));
            } else {
                outlet.send(in, start, length, touched);
            }
        }

        boolean isBehind() {
            return !waiting.isEmpty();
        }

        void drain(Set<Connection> touched) {
            while (!waiting.isEmpty()) {
                Outlet outlet = withCredit();
                if (outlet == null) {
                    return;
                }
                ByteBuf body = waiting.remove();
                outlet.send(body, body.readerIndex(), body.readableBytes(), touched);
                body.release();
            }
            held.forEach(inlet -> inlet.grant(touched));
            held.clear();
        }

        private Outlet withCredit() {
            for (int tries = outlets.size(); tries > 0; tries--) {
                next = next + 1 >= outlets.size() ? 0 : next + 1;
                if (outlets.get(next).credit > 0) {
                    return outlets.get(next);
                }
            }
            return null;
        }
    }

    /** All addresses: those of queues have a node each, those of topics one for each receiver or subscription. */
    private static final class Nodes {
        private final Map<String, Node> queues = new HashMap<>();
        private final Map<String, Map<String, Node>> topics = new HashMap<>();
        private int subscriptions;

        Node queue(String address) {
            return queues.computeIfAbsent(address, absent -> new Node());
        }

        Map<String, Node> topic(String address) {
            return topics.computeIfAbsent(address, absent -> new LinkedHashMap<>());
        }

        Node subscription(Attach attach, Source source) {
            boolean isShared = source.getCapabilities() != null
                    && Arrays.asList(source.getCapabilities()).contains(Symbol.valueOf("shared"));
            String name = isShared ? attach.getName().replaceFirst("\\|.*", "") : "own-" + subscriptions++;
            return topic(source.getAddress()).computeIfAbsent(name, absent -> new Node());
        }
    }

    /** A link on which a client sends. */
    private static final class Inlet {
        final Connection connection;
        final int channel;
        final int handle;
        final Node queue;
        final Map<String, Node> topic;

        private long deliveryCount;
        private int credit;

        Inlet(Connection connection, int channel, int handle, Node queue, Map<String, Node> topic) {
            this.connection = connection;
            this.channel = channel;
            this.handle = handle;
            this.queue = queue;
            this.topic = topic;
        }

        void take(ByteBuf in, int start, int length, Set<Connection> touched) {
            boolean isBehind = false;
            if (queue != null) {
                queue.add(in, start, length, touched);
                isBehind = queue.isBehind();
            } else {
                for (Node subscription : topic.values()) {
                    subscription.add(in, start, length, touched);
                    isBehind |= subscription.isBehind();
                }
            }
            deliveryCount++;
            credit--;
            if (credit <= CREDIT / 2) {
                if (isBehind) {
                    hold();
                } else {
                    grant(touched);
                }
            }
        }

        private void hold() {
            if (queue != null) {
                queue.held.add(this);
            } else {
                topic.values().stream().filter(Node::isBehind).findFirst().ifPresent(node -> node.held.add(this));
            }
        }

        void grant(Set<Connection> touched) {
            credit = CREDIT;
            connection.write(channel, connection.flow(channel)
                    .setHandle(handle)
                    .setDeliveryCount(deliveryCount)
                    .setLinkCredit(credit));
            touched.add(connection);
        }
    }

    /** A link on which a client receives. */
    private static final class Outlet {
        final Connection connection;
        final int channel;
        final int handle;
        final boolean isSettled;
        final Node node;

        int credit;
        private int deliveryCount;

        Outlet(Connection connection, int channel, int handle, boolean isSettled, Node node) {
            this.connection = connection;
            this.channel = channel;
            this.handle = handle;
            this.isSettled = isSettled;
            this.node = node;
        }

        void send(ByteBuf from, int start, int length, Set<Connection> touched) {
            connection.transfer(channel, handle, isSettled, from, start, length);
            credit--;
            deliveryCount++;
            touched.add(connection);
        }

        void flow(Flow flow, Set<Connection> touched) {
            credit = (int) (flow.getDeliveryCount() + flow.getLinkCredit() - deliveryCount);
            node.drain(touched);
            if (flow.getDrain()) {
                deliveryCount += credit;
                credit = 0;
            }
            if (flow.getDrain() || flow.getEcho()) {
                connection.write(channel, connection.flow(channel)
                        .setHandle(handle)
                        .setDeliveryCount(Integer.toUnsignedLong(deliveryCount))
                        .setLinkCredit(credit)
                        .setDrain(flow.getDrain()));
                touched.add(connection);
            }
        }
    }

    /** What counts for the windows of a session. */
    private static final class Window {
        long nextIncoming;
        long nextOutgoing;
        /** Deliveries that are accepted with the next write; none while first is below zero. */
        long firstTaken = -1;

        long lastTaken;
    }

    private static final class Connection extends ChannelInboundHandlerAdapter {
        private final Decoder decoder = CodecFactory.getDefaultDecoder();
        private final Encoder encoder = CodecFactory.getDefaultEncoder();
        private final Decoder saslDecoder = CodecFactory.getDefaultSaslDecoder();
        private final Encoder saslEncoder = CodecFactory.getDefaultSaslEncoder();
        private final Nodes nodes;
        private final Set<Connection> touched;
        private final Map<Integer, Window> windows = new HashMap<>();
        private final Map<Long, Inlet> inlets = new HashMap<>();
        private final Map<Long, Outlet> outlets = new HashMap<>();
        private Channel socket;
        private ByteBuf unread;
        private ByteBuf gathered;
        private int headers;
        private Inlet lastInlet;
        /** Of the transfer at hand. */
        private final Fields fields = new Fields();

        Connection(Nodes nodes, Set<Connection> touched) {
            this.nodes = nodes;
            this.touched = touched;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            socket = context.channel();
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
                takeFrames(in);
                if (in.isReadable()) {
                    unread = in.readBytes(in.readableBytes());
                }
            } finally {
                in.release();
            }
        }

        private void takeFrames(ByteBuf in) {
            while (in.readableBytes() >= FRAME_HEADER_BYTES) {
                int start = in.readerIndex();
                if (in.getByte(start) == 'A') {
                    in.skipBytes(FRAME_HEADER_BYTES);
                    takeHeader(in.getByte(start + 4) == SASL_HEADER[4]);
                    continue;
                }
                int length = in.getInt(start);
                if (in.readableBytes() < length) {
                    return;
                }
                int body = start + 4 * in.getUnsignedByte(start + 4);
                int channel = in.getUnsignedShort(start + 6);
                if (in.getByte(start + 5) == SASL_FRAME) {
                    takeSasl(in, body, start + length);
                } else if (body < start + length) {
                    if (in.getUnsignedByte(body + 2) == TRANSFER) {
                        takeTransfer(in, channel, body + 3, start + length);
                    } else {
                        take(channel, decoded(decoder, in, body, start + length));
                    }
                }
                in.readerIndex(start + length);
            }
        }

        private void takeHeader(boolean isSasl) {
            gathered().writeBytes(isSasl ? SASL_HEADER : AMQP_HEADER);
            if (isSasl) {
                writeSasl(new SaslMechanisms().setSaslServerMechanisms(Symbol.valueOf("ANONYMOUS")));
            }
            touched.add(this);
        }

        private void takeSasl(ByteBuf in, int start, int end) {
            if (decoded(saslDecoder, in, start, end) instanceof SaslInit) {
                writeSasl(new SaslOutcome().setCode(SaslCode.OK));
                touched.add(this);
            }
        }

        private void take(int channel, Object performative) {
            if (performative instanceof Open) {
                write(0, new Open()
                        .setContainerId("ceiling")
                        .setMaxFrameSize(MAX_FRAME_BYTES)
                        .setChannelMax(0xffff)
                        .setOfferedCapabilities(
                                Symbol.valueOf("ANONYMOUS-RELAY"),
                                Symbol.valueOf("SHARED-SUBS"),
                                Symbol.valueOf("DELAYED_DELIVERY")));
            } else if (performative instanceof Begin begin) {
                Window window = new Window();
                window.nextIncoming = begin.getNextOutgoingId();
                windows.put(channel, window);
                write(channel, new Begin()
                        .setRemoteChannel(channel)
                        .setNextOutgoingId(0)
                        .setIncomingWindow(WINDOW)
                        .setOutgoingWindow(WINDOW)
                        .setHandleMax(0xffff));
            } else if (performative instanceof Attach attach) {
                attach(channel, attach);
            } else if (performative instanceof Flow flow && flow.hasHandle()) {
                Outlet outlet = outlets.get(key(channel, (int) flow.getHandle()));
                if (outlet != null) {
                    outlet.flow(flow, touched);
                }
            } else if (performative instanceof Flow flow && flow.getEcho()) {
                write(channel, flow(channel));
            } else if (performative instanceof Detach detach) {
                detach(key(channel, (int) detach.getHandle()));
                write(channel, new Detach().setHandle(detach.getHandle()).setClosed(detach.getClosed()));
            } else if (performative instanceof End) {
                write(channel, new End());
            } else if (performative instanceof Close) {
                write(0, new Close());
            }
            // Dispositions of receivers: nothing is kept that they could settle.
            touched.add(this);
        }

        private void attach(int channel, Attach attach) {
            int handle = (int) attach.getHandle();
            Attach answer = new Attach()
                    .setName(attach.getName())
                    .setHandle(handle)
                    .setRole(attach.getRole() == Role.SENDER ? Role.RECEIVER : Role.SENDER)
                    .setSenderSettleMode(attach.getSenderSettleMode())
                    .setReceiverSettleMode(attach.getReceiverSettleMode())
                    .setSource(attach.getSource());
            if (attach.getRole() == Role.SENDER) {
                Target target = (Target) attach.getTarget();
                answer.setTarget(target);
                write(channel, answer);
                boolean isTopic = isTopic(target.getCapabilities());
                Inlet inlet = new Inlet(
                        this,
                        channel,
                        handle,
                        isTopic ? null : nodes.queue(target.getAddress()),
                        isTopic ? nodes.topic(target.getAddress()) : null);
                inlet.deliveryCount = attach.getInitialDeliveryCount();
                inlets.put(key(channel, handle), inlet);
                inlet.grant(touched);
            } else {
                Source source = attach.getSource();
                answer.setTarget((Target) attach.getTarget()).setInitialDeliveryCount(0);
                write(channel, answer);
                Node node = isTopic(source.getCapabilities())
                        ? nodes.subscription(attach, source)
                        : nodes.queue(source.getAddress());
                boolean isSettled = attach.getSenderSettleMode() == SenderSettleMode.SETTLED;
                Outlet outlet = new Outlet(this, channel, handle, isSettled, node);
                outlets.put(key(channel, handle), outlet);
                node.outlets.add(outlet);
            }
        }

        private static boolean isTopic(Symbol[] capabilities) {
            return capabilities != null && Arrays.asList(capabilities).contains(TOPIC);
        }

        private void detach(long key) {
            inlets.remove(key);
            lastInlet = null;
            Outlet outlet = outlets.remove(key);
            if (outlet != null) {
                outlet.node.outlets.remove(outlet);
            }
        }

        private void takeTransfer(ByteBuf in, int channel, int at, int end) {
            int body = fields.read(in, at);
            Window window = windows.get(channel);
            window.nextIncoming++;
            Inlet inlet = lastInlet;
            if (inlet == null || inlet.channel != channel || inlet.handle != fields.handle) {
                inlet = inlets.get(key(channel, fields.handle));
                lastInlet = inlet;
            }
            if (fields.more) {
                throw new IllegalStateException("a message in several frames is not for this forwarder");
            }
            inlet.take(in, body, end - body, touched);
            if (!fields.settled) {
                if (window.firstTaken < 0) {
                    window.firstTaken = fields.deliveryId;
                }
                window.lastTaken = fields.deliveryId;
                touched.add(this);
            }
        }

        /** Writes a message in one frame. */
        void transfer(int channel, int handle, boolean isSettled, ByteBuf from, int start, int length) {
            int deliveryId = (int) windows.get(channel).nextOutgoing++;
            ByteBuf out = gathered();
            int frame = out.writerIndex();
            out.writeInt(0).writeShort(0x0200).writeShort(channel);
            out.writeMedium(0x005314).writeMedium(0xC00006); // a list of six fields
            out.writeShort(0x5200 | handle);
            out.writeByte(0x70).writeInt(deliveryId);
            out.writeShort(0xA004).writeInt(deliveryId);
            out.writeByte(0x43);
            out.writeByte(isSettled ? 0x41 : 0x42).writeByte(0x42);
            out.setByte(frame + FRAME_HEADER_BYTES + 4, out.writerIndex() - frame - FRAME_HEADER_BYTES - 5);
            out.writeBytes(from, start, length);
            out.setInt(frame, out.writerIndex() - frame);
            if (out.readableBytes() >= WRITE_BYTES) {
                writeGathered();
            }
        }

        Flow flow(int channel) {
            Window window = windows.get(channel);
            return new Flow()
                    .setNextIncomingId(window.nextIncoming & 0xffff_ffffL)
                    .setIncomingWindow(WINDOW)
                    .setNextOutgoingId(window.nextOutgoing & 0xffff_ffffL)
                    .setOutgoingWindow(WINDOW);
        }

        void write(int channel, Object performative) {
            writeFrame(0, channel, encoder, performative);
        }

        private void writeSasl(Object performative) {
            writeFrame(SASL_FRAME, 0, saslEncoder, performative);
        }

        private void writeFrame(int type, int channel, Encoder with, Object performative) {
            try (ProtonBuffer encoded = ProtonBufferAllocator.defaultAllocator().allocate(1024)) {
                with.writeObject(encoded, with.newEncoderState(), performative);
                byte[] bytes = new byte[encoded.getReadableBytes()];
                encoded.readBytes(bytes, 0, bytes.length);
                gathered().writeInt(FRAME_HEADER_BYTES + bytes.length).writeByte(2).writeByte(type).writeShort(channel);
                gathered().writeBytes(bytes);
            }
        }

        private static Object decoded(Decoder with, ByteBuf in, int start, int end) {
            byte[] bytes = new byte[end - start];
            in.getBytes(start, bytes);
            return with.readObject(ProtonBufferAllocator.defaultAllocator().copy(bytes), with.newDecoderState());
        }

        private ByteBuf gathered() {
            if (gathered == null) {
                gathered = socket.alloc().directBuffer(CHUNK_BYTES);
            }
            return gathered;
        }

        private void writeGathered() {
            if (gathered != null) {
                socket.write(gathered, socket.voidPromise());
                gathered = null;
            }
        }

        void flush() {
            windows.forEach((channel, window) -> {
                if (window.firstTaken >= 0) {
                    write(channel, new Disposition()
                            .setRole(Role.RECEIVER)
                            .setFirst(window.firstTaken)
                            .setLast(window.lastTaken)
                            .setSettled(true)
                            .setState(Accepted.getInstance()));
                    window.firstTaken = -1;
                }
            });
            writeGathered();
            socket.flush();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            touched.forEach(Connection::flush);
            touched.clear();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            new ArrayList<>(outlets.keySet()).forEach(this::detach);
            if (unread != null) {
                unread.release();
                unread = null;
            }
            if (gathered != null) {
                gathered.release();
                gathered = null;
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            context.close();
        }

        private static long key(int channel, int handle) {
            return (long) channel << 32 | handle;
        }
    }

    /** The first six fields of a transfer, read without an object. */
    private static final class Fields {
        private static final int ARRAY_HEADER = 0xF0;

        int handle;
        long deliveryId;
        boolean settled;
        boolean more;

        /** @return where the list ends */
        int read(ByteBuf in, int at) {
            int code = in.getUnsignedByte(at);
            int count = code == 0xC0 ? in.getUnsignedByte(at + 2) : in.getInt(at + 5);
            int end = code == 0xC0 ? at + 2 + in.getUnsignedByte(at + 1) : at + 5 + in.getInt(at + 1);
            int field = code == 0xC0 ? at + 3 : at + 9;
            settled = false;
            more = false;
            for (int i = 0; i < count; i++) {
                switch (i) {
                    case 0 -> handle = (int) unsigned(in, field);
                    case 1 -> deliveryId = unsigned(in, field);
                    case 4 -> settled = isTrue(in, field);
                    case 5 -> more = isTrue(in, field);
                    default -> {
                        // no matter here
                    }
                }
                field += length(in, field);
            }
            return end;
        }

        private static long unsigned(ByteBuf in, int at) {
            return switch (in.getUnsignedByte(at)) {
                case 0x43 -> 0;
                case 0x52 -> in.getUnsignedByte(at + 1);
                default -> in.getUnsignedInt(at + 1);
            };
        }

        private static boolean isTrue(ByteBuf in, int at) {
            return in.getByte(at) == 0x41 || in.getByte(at) == 0x56 && in.getByte(at + 1) == 1;
        }

        /** By the first four bits of the code, as the types of AMQP are built. */
        private static int length(ByteBuf in, int at) {
            int code = in.getUnsignedByte(at);
            return 1 + switch (code & ARRAY_HEADER) {
                case 0x40 -> 0;
                case 0x50 -> 1;
                case 0x60 -> 2;
                case 0x70 -> 4;
                case 0x80 -> 8;
                case 0x90 -> 16;
                case 0xA0, 0xC0, 0xE0 -> 1 + in.getUnsignedByte(at + 1);
                case 0x00 -> throw new IllegalStateException("a described field of a transfer is not for this forwarder");
                default -> 4 + in.getInt(at + 1);
            };
        }
    }

    private AmqpForwarder() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 1) {
            System.err.println("usage: AmqpForwarder PORT, which it listens on at the loopback address, not " + Arrays.toString(arguments));
            System.exit(2);
        }
        Nodes nodes = new Nodes();
        Set<Connection> touched = new HashSet<>();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 4096)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new Connection(nodes, touched));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }
}
