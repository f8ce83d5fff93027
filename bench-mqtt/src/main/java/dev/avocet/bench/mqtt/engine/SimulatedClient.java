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
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** One client: its connection, and what it publishes and subscribes to. Owned by its lane's loop. */
@Sharable // one connection after another, never two
final class SimulatedClient extends ChannelInboundHandlerAdapter implements PacketHandler {
    private static final byte[] NOTHING = new byte[0];
    private static final int FAILURE = 0x80;
    private static final int AGAIN_BYTES = 64 * 1024;

    private enum State {
        NEW,
        CONNECTING,
        SUBSCRIBING,
        READY,
        /** It left to come back. */
        AWAY,
        CLOSED
    }

    private final Lane lane;
    private final ControlPackets.Connect connect;
    private final Role role;
    private final Door door;
    private final @Nullable PacketIdentifiers identifiers;

    /** Of QoS 2, what it has received and the server has not released; only where sessions are resumed. */
    private final @Nullable BitSet unreleased;

    /** Whether one of its subscriptions has the server leave RETAIN as it was published. */
    private final boolean keepsRetain;

    private State state = State.NEW;
    private @Nullable ChannelHandlerContext context;
    private byte[] kept = NOTHING;
    private int keptBytes;
    private int maxInFlight;
    private int turn;
    private int number;
    private long connectStartNs;
    private long askedNs;
    private long readNs;
    private boolean isLeaving;
    private boolean isReturning;
    private boolean isHoldingBack;

    /** Whether its socket may be closed while what it published is under way. */
    private boolean mayBeCutOff;

    /** Of one that may be cut off, at QoS 1 and 2. */
    private @Nullable Unacknowledged unacknowledged;

    /** By what it connects once more, until its session is known to be a new one; null where that does not matter. */
    private @Nullable Dialer cleaningDialer;

    private boolean isSessionNew;
    private boolean resumesTls;

    SimulatedClient(Lane lane, ControlPackets.Connect connect, Role role) {
        this(lane, connect, role, Door.USUAL);
    }

    SimulatedClient(Lane lane, ControlPackets.Connect connect, Role role, Door door) {
        this.lane = lane;
        this.door = door;
        this.connect = connect;
        this.role = role;
        identifiers = role.publishQos() > 0 && role.isPublishing() ? new PacketIdentifiers() : null;
        boolean dropsWhatItHas =
                role.subscriptions() != null && role.subscriptions().qos() == 2 && !connect.isClean();
        unreleased = dropsWhatItHas ? new BitSet() : null;
        keepsRetain = role.subscriptions() instanceof ListedSubscriptions listed && listed.keepsRetain();
        maxInFlight = Math.min(PacketIdentifiers.MAX, lane.load.maxInFlight());
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
        return number;
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
        mayBeCutOff = true;
        unacknowledged = identifiers == null ? null : new Unacknowledged();
    }

    // --- the connection's life

    /** The connection is about to be opened; its latency counts from here. */
    void connecting(int itsNumber, Dialer dialer) {
        number = itsNumber;
        resumesTls = dialer.resumesTls();
        cleaningDialer = unacknowledged != null && !connect.isClean() && !isSessionNew ? dialer : null;
        connectStartNs = lane.clock.nanoTime();
        isReturning = state == State.AWAY;
        state = State.CONNECTING;
        keptBytes = 0;
    }

    void connectFailed(Throwable cause) {
        if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
            String why = String.valueOf(cause.getMessage());
            lane.trouble.unreachable(
                    why.replaceFirst("^.*failed with error\\(-?[0-9]+\\): ", "").replace(": /", ": "));
        }
        fail("connecting failed: " + cause.getMessage());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
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
        SslHandler tls = resumesTls ? ctx.pipeline().get(SslHandler.class) : null;
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
        if (context != null) {
            context.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.disconnect()), context.voidPromise());
            context.close();
            context = null;
        }
        dialer.open(this, number);
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
        if (state == State.CLOSED || state == State.NEW || state == State.AWAY) {
            return;
        }
        boolean wasReady = state == State.READY;
        kept = NOTHING;
        keptBytes = 0;
        state = State.CLOSED;
        if (isLeaving) {
            return;
        }
        if (wasReady) {
            lane.trouble.lost(why);
        } else if (isReturning) {
            state = State.AWAY;
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
        state = State.READY;
        if (isReturning) {
            isReturning = false;
            lane.latencies.reconnect.record(readNs - connectStartNs);
            lane.storm.cameBack();
            if (unacknowledged != null) {
                unacknowledged.beginAgain();
                sendAgain();
            }
        } else {
            lane.ready.increment();
        }
    }

    /** Whether it is there to be told to leave. */
    boolean isThere() {
        return state == State.READY;
    }

    /** It is about to leave, so it sends nothing more. */
    void holdBack() {
        isHoldingBack = true;
    }

    /** Whether all that it has sent is acknowledged, so that it can go without losing any; or it does not mind. */
    boolean canDropOff() {
        return mayBeCutOff || role.streams().length == 0 || identifiers == null || identifiers.inFlight() == 0;
    }

    /**
     * Ends its connection, to come back later.
     *
     * @param isClean whether it says so, or only closes the socket
     * @return false when it was lost meanwhile
     */
    boolean dropOff(boolean isClean) {
        isHoldingBack = false;
        if (state != State.READY) {
            return false;
        }
        state = State.AWAY;
        kept = NOTHING;
        keptBytes = 0;
        noteWhatIsCutOff();
        if (context != null) {
            if (isClean) {
                context.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.disconnect()), context.voidPromise());
            }
            context.close();
            context = null;
        }
        return true;
    }

    private void noteWhatIsCutOff() {
        if (unacknowledged != null && connect.isClean()) {
            forgetUnacknowledged(unacknowledged);
        } else if (mayBeCutOff && unacknowledged == null) {
            for (PublishStream stream : role.streams()) {
                lane.cutOff.end(stream);
            }
        }
    }

    private void forgetUnacknowledged(Unacknowledged messages) {
        messages.forget(lane.cutOff);
        if (identifiers != null) {
            identifiers.clear();
        }
    }

    /** Says good-bye and closes. */
    void leave() {
        isLeaving = true;
        if (context == null || !context.channel().isActive()) {
            lane.gone.increment();
            return;
        }
        context.channel().closeFuture().addListener(closed -> lane.gone.increment());
        Subscriptions subscriptions = role.subscriptions();
        if (subscriptions != null && !connect.isClean() && state == State.READY) {
            // The session may outlive the run; what others publish later shall not pile up in it.
            byte[] unsubscribe = ControlPackets.unsubscribe(connect.version(), 1, subscriptions.topicFilters());
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
        if (state == State.READY && context != null) {
            context.writeAndFlush(Unpooled.wrappedBuffer(ControlPackets.pingreq()), context.voidPromise());
        }
    }

    // --- sending

    /** Whether it may publish one more now. */
    boolean canSend() {
        return state == State.READY
                && !isHoldingBack
                && context != null
                && context.channel().isWritable()
                && (identifiers == null || identifiers.inFlight() < maxInFlight)
                && (unacknowledged == null || unacknowledged.stillAgain() == 0);
    }

    /** Adds its next PUBLISH. */
    void encode(ByteQueue to, int payload, long nowNs, long intendedNs) {
        OwnPublisher own = role.own();
        PublishStream stream = own == null ? nextStream() : own.next();
        int qos = own == null ? stream.qos() : own.qos();
        int identifier = qos == 0 || identifiers == null ? 0 : identifiers.take(nowNs);
        byte[] bytes = to.reserve(own == null ? stream.maxPacketBytes(lane.payloads) : own.maxPacketBytes());
        to.resize(
                own == null
                        ? stream.write(bytes, to.size(), identifier, lane.payloads, payload, intendedNs)
                        : own.write(bytes, to.size(), identifier, intendedNs));
        if (unacknowledged != null) {
            unacknowledged.sent(identifier, stream, payload, intendedNs);
        }
        lane.sent.increment();
        lane.expected.add(stream.copies());
    }

    /**
     * What was not acknowledged on the connection before, as far as it can be written and the server takes it at once.
     */
    private void sendAgain() {
        while (mayWriteAgain()) {
            while (mayWriteAgain() && lane.output.size() < AGAIN_BYTES && unacknowledged != null) {
                PublishStream stream = unacknowledged.writeNext(lane.output, lane.payloads);
                if (stream != null) {
                    lane.storm.sentAgain(stream);
                }
            }
            write(lane.output);
        }
    }

    private boolean mayWriteAgain() {
        return state == State.READY
                && context != null
                && context.channel().isWritable()
                && identifiers != null
                && unacknowledged != null
                && unacknowledged.stillAgain() > 0
                && identifiers.inFlight() - unacknowledged.stillAgain() < maxInFlight;
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx == context) {
            sendAgain();
        }
    }

    private PublishStream nextStream() {
        PublishStream[] streams = role.streams();
        PublishStream stream = streams[turn];
        turn = turn + 1 == streams.length ? 0 : turn + 1;
        return stream;
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
            if (ctx == context && state != State.AWAY) {
                readNs = lane.clock.nanoTime();
                read(buffer);
            }
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
            case PacketType.PUBREL & 0xF0 -> onPubrel(array, from);
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
        maxInFlight = Math.min(maxInFlight, connack.receiveMaximum());
        if (needsToSubscribe(connack)) {
            subscribe();
        } else {
            becomeReady();
        }
    }

    private boolean needsToSubscribe(Connack connack) {
        if (isReturning && !connect.isClean()) {
            lane.storm.sessionWas(connack.isSessionPresent());
            if (connack.isSessionPresent()) {
                return false;
            }
            if (unacknowledged != null) {
                forgetUnacknowledged(unacknowledged);
            }
        }
        if (unreleased != null) {
            unreleased.clear();
        }
        return role.subscriptions() != null;
    }

    private void subscribe() {
        state = State.SUBSCRIBING;
        askedNs = lane.clock.nanoTime();
        Subscriptions subscriptions = role.subscriptions();
        if (context != null && subscriptions != null) {
            byte[] subscribe = ControlPackets.subscribe(
                    connect.version(), 1, subscriptions.topicFilters(), subscriptions::options);
            context.writeAndFlush(Unpooled.wrappedBuffer(subscribe), context.voidPromise());
        }
    }

    private void onSuback(byte[] array, int from, int to) {
        Subscriptions subscriptions = role.subscriptions();
        int wanted = subscriptions == null ? 0 : subscriptions.count();
        if (to - from < wanted + 2) {
            throw new MalformedPacketException("a SUBACK of " + (to - from) + " bytes for " + wanted + " filters");
        }
        for (int at = to - wanted; at < to; at++) {
            if ((array[at] & 0xFF) >= FAILURE) {
                refuse("SUBACK with reason code " + (array[at] & 0xFF));
                return;
            }
        }
        lane.latencies.subscribe.record(readNs - askedNs);
        becomeReady();
    }

    private void onPublish(int firstByte, byte[] array, int from, int to) {
        int qos = firstByte >> 1 & 3;
        int identifierAt = from + 2 + PacketReader.twoBytes(array, from);
        int propertiesAt = qos > 0 ? identifierAt + 2 : identifierAt;
        int at = connect.version() == ControlPackets.MQTT_5
                ? PacketReader.skipProperties(array, propertiesAt)
                : propertiesAt;
        if (qos < 2 || isNew(PacketReader.twoBytes(array, identifierAt))) {
            if (role.responder() != null) {
                answer(role.responder(), array, from, propertiesAt, at, to);
            } else if (role.account() != null && !isOfAnEarlierRun(array, at, to - at)) {
                take(role.account(), array, propertiesAt, at, to, firstByte);
            }
        }
        if (qos > 0) {
            lane.output.addAcknowledgement(qos == 1 ? PacketType.PUBACK : PacketType.PUBREC, array, identifierAt);
        }
    }

    /** Of QoS 2, where a resumed session sends again what was not released [MQTT-4.3.3-10]. */
    private boolean isNew(int identifier) {
        if (unreleased == null) {
            return true;
        }
        boolean isNew = !unreleased.get(identifier);
        unreleased.set(identifier);
        return isNew;
    }

    private void take(ReceiverAccount account, byte[] array, int propertiesAt, int at, int to, int firstByte) {
        if (lane.own != null && lane.own.isPlain(array, at, to - at)) {
            takePlain(account, firstByte);
            return;
        }
        boolean isRedelivered = (firstByte & 8) != 0;
        if (role.isRequester() && !isMyReply(array, propertiesAt, at, to)) {
            lane.requests.stray.increment();
        }
        if (account.receive(array, at, to - at, isRedelivered)) {
            lane.latencies.message.record(readNs - MessageHead.intendedNs(array, at));
        }
    }

    /**
     * A payload without a head. Those that say they were retained are older than the run, for no client subscribes
     * later.
     */
    private void takePlain(ReceiverAccount account, int firstByte) {
        if ((firstByte & 1) == 0 || keepsRetain) {
            account.receiveUnchecked();
            lane.unchecked.increment();
        }
    }

    private boolean isMyReply(byte[] array, int propertiesAt, int at, int to) {
        boolean isCorrelated =
                connect.version() != ControlPackets.MQTT_5 || Correlation.isThere(array, propertiesAt, at, to);
        return isCorrelated && to - at >= MessageHead.SIZE_BYTES && role.hasStream(MessageHead.stream(array, at));
    }

    private void answer(Responder responder, byte[] array, int topicAt, int propertiesAt, int at, int to) {
        responder.request(array, topicAt, propertiesAt, at, to);
        if (responder.reply(lane.output, identifiers, maxInFlight, readNs)) {
            lane.requests.answered.increment();
        } else {
            lane.requests.unanswered.increment();
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
            if (unacknowledged != null) {
                unacknowledged.received(PacketReader.twoBytes(array, from));
            }
            lane.output.addAcknowledgement(PacketType.PUBREL, array, from);
        }
    }

    private void onPubrel(byte[] array, int from) {
        if (unreleased != null) {
            unreleased.clear(PacketReader.twoBytes(array, from));
        }
        lane.output.addAcknowledgement(PacketType.PUBCOMP, array, from);
    }

    private void onAcknowledged(int identifier) {
        long takenNs = identifiers == null ? 0 : identifiers.release(identifier);
        if (takenNs != 0) {
            lane.latencies.acknowledge.record(readNs - takenNs);
        }
        if (unacknowledged != null) {
            unacknowledged.acknowledged(identifier);
            sendAgain();
        }
        if (identifiers != null && role.responder() != null) {
            role.responder().release(lane.output, identifiers, maxInFlight, readNs);
        }
    }
}
