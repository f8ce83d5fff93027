package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.mqtt.engine.flow.ByteQueue;
import dev.avocet.bench.mqtt.engine.flow.PublishStream;
import dev.avocet.bench.mqtt.engine.flow.Role;
import dev.avocet.bench.mqtt.engine.flow.WebSocketBytes;
import dev.avocet.bench.mqtt.engine.plan.Door;
import dev.avocet.bench.mqtt.wire.Connack;
import dev.avocet.bench.mqtt.wire.ControlPackets;
import dev.avocet.bench.mqtt.wire.MalformedPacketException;
import dev.avocet.bench.mqtt.wire.PacketHandler;
import dev.avocet.bench.mqtt.wire.PacketReader;
import dev.avocet.bench.mqtt.wire.PacketType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One client: its connection. What it publishes is with its {@link Sender}, what it gets with its {@link Receiver}.
 * Owned by its lane's loop.
 */
@Sharable // one connection after another, never two
final class SimulatedClient extends ChannelInboundHandlerAdapter implements PacketHandler {
    private static final int AGAIN_BYTES = 64 * 1024;

    private final Lane lane;
    private final ControlPackets.Connect connect;
    private final Role role;
    private final Door door;
    private final Sender sender;
    private final Receiver receiver;
    private final PartialPacket partial;
    private ClientState state = ClientState.NEW;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Dialing dialing;
    private long connectStartNs;
    private long askedNs;
    private long readNs;
    private boolean isLeaving;
    private boolean isReturning;
    private boolean isHoldingBack;

    /** By what it connects once more, until its session is known to be a new one; null where that does not matter. */
    private @Nullable Dialer cleaningDialer;

    private boolean isSessionNew;

    SimulatedClient(Lane lane, ControlPackets.Connect connect, Role role, Door door) {
        this.lane = lane;
        this.door = door;
        this.connect = connect;
        this.role = role;
        sender = new Sender(lane, role);
        receiver = new Receiver(lane, role, connect, sender);
        partial = new PartialPacket(lane, this);
    }

    Lane lane() {
        return lane;
    }

    Door door() {
        return door;
    }

    int keepAliveSeconds() {
        return connect.keepAliveSeconds();
    }

    /** The number by which it was given its addresses. */
    int number() {
        return dialing == null ? 0 : dialing.number();
    }

    PublishStream[] streams() {
        return role.streams();
    }

    /** Null when it checks nothing. */
    @Nullable ReceiverAccount account() {
        return role.account();
    }

    /** To be called before it connects: its socket may be closed while what it published is under way. */
    void cutOffNowAndThen() {
        sender.cutOffNowAndThen();
    }

    // --- the connection's life

    /** The connection is about to be opened; its latency counts from here. */
    void connecting(Dialing begun) {
        dialing = begun;
        cleaningDialer = sender.keepsUnacknowledged() && !connect.isClean() && !isSessionNew ? begun.dialer() : null;
        connectStartNs = lane.clock.nanoTime();
        isReturning = state == ClientState.AWAY;
        state = ClientState.CONNECTING;
    }

    void connectFailed(Throwable cause) {
        lane.trouble.connectFailed(cause);
        fail("connecting failed: " + cause.getMessage());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        partial.forget();
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        boolean hasHandshake = ctx.pipeline().get(WebSocketBytes.class) != null
                || ctx.pipeline().get(SslHandler.class) != null;
        if (!hasHandshake) {
            sendConnect(ctx);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        boolean isPlain = ctx.pipeline().get(WebSocketBytes.class) == null;
        if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE
                || (isPlain && event == SslHandshakeCompletionEvent.SUCCESS)) {
            sendConnect(ctx);
        }
    }

    private void sendConnect(ChannelHandlerContext ctx) {
        askedNs = lane.clock.nanoTime();
        ControlPackets.Connect its = connect;
        SslHandler tls = dialing == null ? null : dialing.resuming(ctx);
        if (tls != null) {
            (lane.handshakes.completed(tls.engine()) ? lane.latencies.resumed : lane.latencies.full)
                    .record(askedNs - connectStartNs);
        }
        if (cleaningDialer == null) {
            lane.latencies.transport.record(askedNs - connectStartNs);
        } else {
            its = connect.withoutSession();
        }
        ctx.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.connect(its)), ctx.voidPromise());
    }

    /**
     * What an earlier run has left behind is gone; now with a session that stays. Under packet identifiers of QoS 2
     * that were not released nothing new would be published.
     */
    private void connectWithNewSession(Dialer dialer) {
        isSessionNew = true;
        sayGoodBye();
        context = null;
        dialer.open(this, number());
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (ctx == context) {
            fail("the server closed the connection");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (ctx == context) {
            fail(cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage());
        }
        ctx.close();
    }

    private void fail(String why) {
        if (state == ClientState.CLOSED || state == ClientState.NEW || state == ClientState.AWAY) {
            return;
        }
        boolean wasReady = state == ClientState.READY;
        partial.forget();
        state = ClientState.CLOSED;
        if (isLeaving) {
            return;
        }
        if (wasReady) {
            lane.trouble.lost(why);
        } else if (isReturning) {
            state = ClientState.AWAY;
            lane.trouble.first(why);
            lane.storm.cameNot(this);
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
        state = ClientState.READY;
        if (isReturning) {
            isReturning = false;
            lane.latencies.reconnect.record(readNs - connectStartNs);
            lane.storm.cameBack();
            sender.beginAgain();
            sendAgain();
        } else {
            lane.ready.increment();
        }
    }

    /** Whether it is there to be told to leave. */
    boolean isThere() {
        return state == ClientState.READY;
    }

    /** It is about to leave, so it sends nothing more. */
    void holdBack() {
        isHoldingBack = true;
    }

    /** Whether all that it has sent is acknowledged, so that it can go without losing any; or it does not mind. */
    boolean canDropOff() {
        return sender.canDropOff();
    }

    /**
     * Ends its connection, to come back later.
     *
     * @param isClean whether it says so, or only closes the socket
     * @return false when it was lost meanwhile
     */
    boolean dropOff(boolean isClean) {
        isHoldingBack = false;
        if (state != ClientState.READY) {
            return false;
        }
        state = ClientState.AWAY;
        partial.forget();
        sender.droppedOff(connect.isClean());
        if (isClean) {
            sayGoodBye();
        } else if (context != null) {
            context.close();
        }
        context = null;
        return true;
    }

    /** Says good-bye and closes. */
    void leave() {
        isLeaving = true;
        if (context == null || !context.channel().isActive()) {
            lane.gone.increment();
            return;
        }
        context.channel().closeFuture().addListener(closed -> lane.gone.increment());
        byte[] unsubscribe = receiver.unsubscribe();
        if (unsubscribe != null && !connect.isClean() && state == ClientState.READY) {
            // The session may outlive the run; what others publish later shall not pile up in it.
            context.writeAndFlush(Unpooled.wrappedBuffer(unsubscribe), context.voidPromise());
        } else {
            sayGoodBye();
        }
    }

    private void sayGoodBye() {
        if (context != null) {
            context.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.disconnect()), context.voidPromise());
            context.close();
        }
    }

    void ping() {
        if (state == ClientState.READY && context != null) {
            context.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.pingreq()), context.voidPromise());
        }
    }

    /** Whether it may publish one more now. */
    boolean canSend() {
        return state == ClientState.READY
                && !isHoldingBack
                && context != null
                && context.channel().isWritable()
                && sender.mayPublish();
    }

    /** Adds its next PUBLISH. */
    void encode(ByteQueue to, int payload, long nowNs, long intendedNs) {
        sender.encode(to, payload, nowNs, intendedNs);
    }

    /**
     * What was not acknowledged on the connection before, as far as it can be written and the server takes it at once.
     */
    private void sendAgain() {
        while (mayWriteAgain()) {
            while (mayWriteAgain() && lane.output.size() < AGAIN_BYTES) {
                sender.writeNextAgain();
            }
            write(lane.output);
        }
    }

    private boolean mayWriteAgain() {
        return state == ClientState.READY
                && context != null
                && context.channel().isWritable()
                && sender.mayPublishAgain();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx == context) {
            sendAgain();
        }
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
            // What came to a connection that was given up belongs to no one.
            if (ctx == context && state != ClientState.AWAY) {
                readNs = lane.clock.nanoTime();
                partial.read(buffer);
            }
        } catch (MalformedPacketException | IndexOutOfBoundsException broken) {
            refuse("the server sent no MQTT: " + broken.getMessage());
        } finally {
            buffer.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        write(lane.output);
        lane.onArrival(readNs);
    }

    @Override
    public void onPacket(int firstByte, byte[] array, int from, int to) {
        switch (firstByte & 0xF0) {
            case PacketType.PUBLISH -> receiver.onPublish(firstByte, array, from, to, readNs);
            case PacketType.PUBACK, PacketType.PUBCOMP -> onAcknowledged(PacketReader.twoBytes(array, from));
            case PacketType.PUBREC -> {
                if (!sender.onPubrec(array, from, to)) {
                    onAcknowledged(PacketReader.twoBytes(array, from));
                }
            }
            case PacketType.PUBREL & 0xF0 -> receiver.onPubrel(array, from);
            case PacketType.CONNACK -> onConnack(Connack.read(connect.version(), array, from, to));
            case PacketType.SUBACK -> onSuback(array, from, to);
            case PacketType.PINGRESP -> {}
            case PacketType.UNSUBACK -> sayGoodBye();
            case PacketType.DISCONNECT ->
                refuse("the server disconnected with reason code " + (to > from ? array[from] & 0xFF : 0));
            default -> throw new MalformedPacketException("a packet of type " + (firstByte >> 4));
        }
    }

    private void onConnack(Connack connack) {
        if (connack.sendsElsewhere() && dialing != null && dialing.hasAnother()) {
            passBy(dialing);
            return;
        }
        if (connack.reasonCode() != 0) {
            refuse("CONNACK with reason code " + connack.reasonCode());
            return;
        }
        if (cleaningDialer != null) {
            connectWithNewSession(cleaningDialer);
            return;
        }
        lane.latencies.connack.record(readNs - askedNs);
        if (!isReturning) {
            lane.latencies.connect.record(readNs - connectStartNs);
        }
        sender.limitInFlight(connack.receiveMaximum());
        if (needsToSubscribe(connack)) {
            subscribe();
        } else {
            becomeReady();
        }
    }

    /** The node serves no clients; the other one may. */
    private void passBy(Dialing its) {
        Objects.requireNonNull(context).close();
        context = null;
        its.goOn(this);
    }

    private boolean needsToSubscribe(Connack connack) {
        if (isReturning && !connect.isClean()) {
            lane.storm.sessionWas(connack.isSessionPresent());
            if (connack.isSessionPresent()) {
                return false;
            }
            sender.forgetUnacknowledged();
        }
        receiver.forgetUnreleased();
        return role.subscriptions() != null;
    }

    private void subscribe() {
        state = ClientState.SUBSCRIBING;
        askedNs = lane.clock.nanoTime();
        byte[] subscribe = receiver.subscribe();
        if (context != null && subscribe != null) {
            context.writeAndFlush(Unpooled.wrappedBuffer(subscribe), context.voidPromise());
        }
    }

    private void onSuback(byte[] array, int from, int to) {
        int refusal = receiver.refusal(array, from, to);
        if (refusal != 0) {
            refuse("SUBACK with reason code " + refusal);
            return;
        }
        lane.latencies.subscribe.record(readNs - askedNs);
        becomeReady();
    }

    private void onAcknowledged(int identifier) {
        sender.acknowledged(identifier, readNs);
        sendAgain();
        sender.releaseReplies(readNs);
    }
}
