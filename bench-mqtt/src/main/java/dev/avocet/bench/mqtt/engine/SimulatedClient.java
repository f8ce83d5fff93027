package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.mqtt.wire.Connack;
import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.mqtt.wire.MalformedPacketException;
import dev.avocet.bench.mqtt.wire.PacketHandler;
import dev.avocet.bench.mqtt.wire.PacketReader;
import dev.avocet.bench.mqtt.wire.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import org.jspecify.annotations.Nullable;

/** One client: its connection, and what it publishes and subscribes to. Owned by its lane's loop. */
final class SimulatedClient extends ChannelInboundHandlerAdapter implements PacketHandler {
    private static final byte[] NOTHING = new byte[0];
    private static final int FAILURE = 0x80;

    private enum State {
        NEW,
        CONNECTING,
        SUBSCRIBING,
        READY,
        CLOSED
    }

    private final Lane lane;
    private final ControlPackets.Connect connect;
    private final PublishStream[] streams;
    private final @Nullable PacketIdentifiers identifiers;
    private final @Nullable String topicFilter;
    private final int subscriptionQos;
    private final @Nullable ReceiverAccount account;

    private State state = State.NEW;
    private @Nullable ChannelHandlerContext context;
    private byte[] kept = NOTHING;
    private int keptBytes;
    private int maxInFlight;
    private int turn;
    private long connectStartNs;
    private long readNs;
    private boolean isLeaving;

    private SimulatedClient(
            Lane lane,
            ControlPackets.Connect connect,
            PublishStream[] streams,
            int qos,
            @Nullable String topicFilter,
            @Nullable ReceiverAccount account) {
        this.lane = lane;
        this.connect = connect;
        this.streams = streams;
        this.topicFilter = topicFilter;
        this.account = account;
        subscriptionQos = qos;
        identifiers = streams.length > 0 && qos > 0 ? new PacketIdentifiers() : null;
        maxInFlight = Math.min(PacketIdentifiers.MAX, lane.load.maxInFlight());
    }

    static SimulatedClient publisher(Lane lane, ControlPackets.Connect connect, PublishStream[] streams, int qos) {
        return new SimulatedClient(lane, connect, streams, qos, null, null);
    }

    static SimulatedClient subscriber(
            Lane lane, ControlPackets.Connect connect, String topicFilter, int qos, ReceiverAccount account) {
        return new SimulatedClient(lane, connect, new PublishStream[0], qos, topicFilter, account);
    }

    static SimulatedClient idle(Lane lane, ControlPackets.Connect connect) {
        return new SimulatedClient(lane, connect, new PublishStream[0], 0, null, null);
    }

    Lane lane() {
        return lane;
    }

    // --- the connection's life

    /** The connection is about to be opened; its latency counts from here. */
    void connecting() {
        connectStartNs = lane.clock.nanoTime();
        state = State.CONNECTING;
    }

    void connectFailed(Throwable cause) {
        fail("connecting failed: " + cause.getMessage());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (ctx.pipeline().get(WebSocketBytes.class) == null) {
            sendConnect(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
            sendConnect(ctx);
        }
    }

    private void sendConnect(ChannelHandlerContext ctx) {
        ctx.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.connect(connect)), ctx.voidPromise());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail("the server closed the connection");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
        ctx.close();
    }

    private void fail(String why) {
        if (state == State.CLOSED || state == State.NEW) {
            return;
        }
        boolean wasReady = state == State.READY;
        state = State.CLOSED;
        kept = NOTHING;
        if (isLeaving) {
            return;
        }
        if (wasReady) {
            lane.trouble.lost(why);
        } else {
            lane.trouble.refused(why);
        }
    }

    private void refuse(String why) {
        fail(why);
        if (context != null) {
            context.close();
        }
    }

    private void becomeReady() {
        state = State.READY;
        lane.ready.increment();
    }

    /** Says good-bye and closes. */
    void leave() {
        isLeaving = true;
        if (context != null && context.channel().isActive()) {
            if (topicFilter != null && !connect.isClean() && state == State.READY) {
                // The session may outlive the run; what others publish later shall not pile up in it.
                byte[] unsubscribe = ControlPackets.unsubscribe(connect.version(), 1, topicFilter);
                context.write(Unpooled.wrappedBuffer(unsubscribe), context.voidPromise());
            }
            context.write(Unpooled.wrappedBuffer(ControlPackets.disconnect()), context.voidPromise());
            context.flush();
            context.close();
        }
    }

    void ping() {
        if (state == State.READY && context != null) {
            context.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.pingreq()), context.voidPromise());
        }
    }

    // --- sending

    /** Whether it may publish one more now. */
    boolean canSend() {
        return state == State.READY
                && context != null
                && context.channel().isWritable()
                && (identifiers == null || identifiers.inFlight() < maxInFlight);
    }

    /** Adds its next PUBLISH. */
    void encode(ByteQueue to, int payload, long nowNs, long intendedNs) {
        PublishStream stream = streams[turn];
        turn = turn + 1 == streams.length ? 0 : turn + 1;
        int identifier = identifiers == null ? 0 : identifiers.take(nowNs);
        byte[] bytes = to.reserve(stream.maxPacketBytes(lane.payloads));
        to.resize(stream.write(bytes, to.size(), identifier, lane.payloads, payload, intendedNs));
        lane.sent.increment();
        lane.expected.add(stream.copies());
    }

    /** Writes what has been added, if anything. */
    void write(ByteQueue from) {
        if (from.size() > 0 && context != null) {
            context.writeAndFlush(from.take(context.alloc()), context.voidPromise());
        }
    }

    // --- receiving

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        try {
            readNs = lane.clock.nanoTime();
            read(buffer);
        } catch (MalformedPacketException | IndexOutOfBoundsException broken) {
            refuse("the server sent no MQTT: " + broken.getMessage());
        } finally {
            buffer.release();
        }
    }

    private void read(ByteBuf buffer) {
        int added = buffer.readableBytes();
        int size = keptBytes + added;
        byte[] input = lane.input(size);
        System.arraycopy(kept, 0, input, 0, keptBytes);
        buffer.readBytes(input, keptBytes, added);
        int used = PacketReader.read(input, size, this);
        keptBytes = size - used;
        if (keptBytes > kept.length) {
            kept = new byte[Integer.highestOneBit(keptBytes) * 2];
        }
        System.arraycopy(input, used, kept, 0, keptBytes);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        write(lane.output);
        lane.onArrival(readNs);
    }

    @Override
    public void onPacket(int firstByte, byte[] array, int from, int to) {
        switch (firstByte & 0xF0) {
            case PacketType.PUBLISH -> onPublish(firstByte, array, from, to);
            case PacketType.PUBACK, PacketType.PUBCOMP -> onAcknowledged(PacketReader.twoBytes(array, from));
            case PacketType.PUBREC -> onPubrec(array, from, to);
            case PacketType.PUBREL & 0xF0 -> lane.output.addAcknowledgement(PacketType.PUBCOMP, array, from);
            case PacketType.CONNACK -> onConnack(Connack.read(connect.version(), array, from, to));
            case PacketType.SUBACK -> onSuback(array[to - 1] & 0xFF);
            case PacketType.PINGRESP, PacketType.UNSUBACK -> {}
            case PacketType.DISCONNECT ->
                refuse("the server disconnected with reason code " + (to > from ? array[from] & 0xFF : 0));
            default -> throw new MalformedPacketException("a packet of type " + (firstByte >> 4));
        }
    }

    private void onConnack(Connack connack) {
        if (connack.reasonCode() != 0) {
            refuse("CONNACK with reason code " + connack.reasonCode());
            return;
        }
        lane.connectLatency.record(readNs - connectStartNs);
        maxInFlight = Math.min(maxInFlight, connack.receiveMaximum());
        if (topicFilter == null) {
            becomeReady();
            return;
        }
        state = State.SUBSCRIBING;
        if (context != null) {
            byte[] subscribe = ControlPackets.subscribe(connect.version(), 1, topicFilter, subscriptionQos);
            context.writeAndFlush(Unpooled.wrappedBuffer(subscribe), context.voidPromise());
        }
    }

    private void onSuback(int reasonCode) {
        if (reasonCode >= FAILURE) {
            refuse("SUBACK with reason code " + reasonCode);
        } else {
            becomeReady();
        }
    }

    private void onPublish(int firstByte, byte[] array, int from, int to) {
        int qos = firstByte >> 1 & 3;
        int at = from + 2 + PacketReader.twoBytes(array, from);
        int identifierAt = at;
        if (qos > 0) {
            at += 2;
        }
        if (connect.version() == ControlPackets.MQTT_5) {
            at = PacketReader.skipProperties(array, at);
        }
        if (account != null
                && !isOfAnEarlierRun(array, at, to - at)
                && account.receive(array, at, to - at, (firstByte & 8) != 0)) {
            lane.messageLatency.record(readNs - MessageHead.intendedNs(array, at));
        }
        if (qos > 0) {
            lane.output.addAcknowledgement(qos == 1 ? PacketType.PUBACK : PacketType.PUBREC, array, identifierAt);
        }
    }

    /** A session that was left behind, or a retained message, may hold some. */
    private boolean isOfAnEarlierRun(byte[] array, int at, int lengthBytes) {
        return lengthBytes >= MessageHead.SIZE_BYTES
                && MessageHead.intendedNs(array, at) - lane.startNs < 0
                && MessageHead.isIntact(array, at, lengthBytes);
    }

    private void onPubrec(byte[] array, int from, int to) {
        boolean isRefused = to - from > 2 && (array[from + 2] & 0xFF) >= FAILURE;
        if (isRefused) {
            onAcknowledged(PacketReader.twoBytes(array, from));
        } else {
            lane.output.addAcknowledgement(PacketType.PUBREL, array, from);
        }
    }

    private void onAcknowledged(int identifier) {
        long takenNs = identifiers == null ? 0 : identifiers.release(identifier);
        if (takenNs != 0) {
            lane.acknowledgeLatency.record(readNs - takenNs);
        }
    }
}
