package dev.avocet.mqtt.connection;

import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.frontend.Leniency;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.StallWatch;
import dev.avocet.core.metrics.Traffic;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.security.login.LoginEnd;
import dev.avocet.core.security.login.WebCredentials;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.ConnectionFigures;
import dev.avocet.core.session.DisconnectCause;
import dev.avocet.mqtt.admission.ClientLimits;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.Peer;
import dev.avocet.mqtt.admission.RateWindows;
import dev.avocet.mqtt.admission.RefusedText;
import dev.avocet.mqtt.buffer.OutputBuffer;
import dev.avocet.mqtt.buffer.PacketTrace;
import dev.avocet.mqtt.codec.PacketDecoder;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.Sender;
import dev.avocet.mqtt.codec.field.MalformedPacketException;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Auth;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One MQTT connection: from bytes to packets, from packets to their handlers, and the end of it. What goes wrong
 * anywhere on a connection ends in {@link #fail}, which tells the client as its version allows and closes.
 *
 * <p>Owned by the channel's event loop, which is the loop of its resources. Its states are those of
 * {@link ConnectionState}.
 */
public final class MqttConnection extends ChannelInboundHandlerAdapter implements ConnectedClient {
    private final MqttContext context;
    private final LoopResources shared;
    private final Channel channel;
    private final Admission admission;
    private final Peer peer;
    private final String protocol;
    private final Traffic traffic;
    private final OutputBuffer output;
    private final Intake intake;
    /** Null while the login holds for ever, as most do. */
    private @Nullable LoginEnd loginEnd;

    private @Nullable StallWatch stallWatch;
    /** Null once the client is connected, unless it may authenticate again. */
    private @Nullable ConnectProcess connect;

    private ConnectionState state = ConnectionState.EXPECTING_CONNECT;

    // since CONNECT
    private ProtocolVersion version = ProtocolVersion.V3_1_1;
    private ClientLimits client = new ClientLimits(version, 1, PacketFramer.MAX_PACKET_SIZE_BYTES, true);

    private long connectedAtNs;
    /** From CONNACK until the connection leaves the session. */
    private @Nullable ServedSession served;

    MqttConnection(MqttContext context, LoopResources shared, Channel channel, Admission admission, String protocol) {
        this(context, shared, channel, admission, protocol, WebCredentials.NONE);
    }

    MqttConnection(
            MqttContext context,
            LoopResources shared,
            Channel channel,
            Admission admission,
            String protocol,
            WebCredentials web) {
        this.context = context;
        this.shared = shared;
        this.channel = channel;
        this.admission = admission;
        this.peer = new Peer(channel, admission, context.log());
        this.protocol = protocol;
        this.traffic = new Traffic(shared.loop.counters(), admission.counters());
        this.output = new OutputBuffer(channel, shared.loop, traffic, admission);
        this.intake = new Intake(this);
        this.connect = new ConnectProcess(this, context, shared.loop, web);
    }

    @Override
    public void channelRead(ChannelHandlerContext ignored, Object message) {
        ByteBuf read = (ByteBuf) message;
        if (state == ConnectionState.CLOSED) {
            read.release();
            return;
        }
        traffic.receivedBytes(read.readableBytes());
        if (served != null) {
            served.heard();
        }
        intake.read(read);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ignored) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        if (stallWatch == null) {
            stallWatch =
                    new StallWatch(channel, shared.loop, context.options().stallTimeoutMs(), () -> end().onStall());
        }
        stallWatch.onWritabilityChanged();
        if (!channel.isWritable()) {
            return;
        }
        boolean readsAgain = intake.onWritable();
        if (served != null) {
            if (readsAgain) {
                served.heard();
            }
            served.onWritable();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ignored) {
        leave(true);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
        if (cause instanceof IOException) {
            channel.close(); // the peer has reset the connection
        } else {
            pauseReading();
            end().failLater(cause);
        }
    }

    @Override
    public void onSubscriptionEnding(String key) {
        if (served != null) {
            served.detach(key);
        }
    }

    @Override
    public void onTraceChanged() {
        output.flush(); // what came before goes by the old rules
        output.trace(PacketTrace.of(context.broker().tracer(), peer.clientId(), origin(), version));
    }

    @Override
    public void disconnect(DisconnectCause cause) {
        end().disconnect(cause);
    }

    IoLoop loop() {
        return shared.loop;
    }

    boolean isClosed() {
        return state == ConnectionState.CLOSED;
    }

    boolean isConnected() {
        return state == ConnectionState.CONNECTED;
    }

    /** Whether the client has said CONNECT and has no answer yet. */
    boolean hasConnect() {
        return connect != null && connect.version() != null;
    }

    /** In which the client is answered. */
    ProtocolVersion version() {
        return version;
    }

    /** How the broker ends this connection; made for the occasion. */
    ConnectionEnd end() {
        return new ConnectionEnd(this, shared.loop, peer);
    }

    Channel channel() {
        return channel;
    }

    LoopResources shared() {
        return shared;
    }

    /** The largest packet that the endpoint takes. */
    int admittedPacketBytes() {
        return admission.maxPacketBytes();
    }

    /** What the endpoint puts up with. */
    Leniency leniency() {
        return admission.leniency();
    }

    /** What the client may do by the policies of the endpoint. */
    AccessRights askRights() {
        return new AccessRights(admission.policies(), peer);
    }

    /**
     * Appends a packet, without what only explains if that would be too large for the client, or not at all: then the
     * answer is false [MQTT-3.1.2-24].
     */
    boolean send(Packet packet) {
        PacketWriter writer = shared.writer;
        writer.reset();
        Packet sent = client.problemInformation() || packet instanceof ConnAck || packet instanceof Disconnect
                ? packet
                : packet.withoutDiagnostics();
        int length = PacketEncoder.encode(version, sent, writer, client.maximumPacketBytes());
        output.write(writer.array(), 0, length);
        writer.shrink();
        return length > 0;
    }

    /** The same of what tells nothing that another node of the pair could contradict. */
    boolean sendFreely(Packet packet) {
        output.writesFreely(true);
        boolean sent = send(packet);
        output.writesFreely(false);
        return sent;
    }

    /** Decodes and reads nothing more for now; what has come already waits. */
    void pauseReading() {
        intake.pause();
    }

    /** Goes on where {@link #pauseReading} stopped; at once when that was within the same packet. */
    void resumeReading() {
        if (intake.isPaused() && state != ConnectionState.CLOSED) {
            if (served != null) {
                served.heard();
            }
            intake.resume();
        }
    }

    /**
     * The client did what it must not, or cannot be served: it is told as its version allows [MQTT-4.13.1-1], and the
     * connection is closed. A will is published.
     */
    void fail(ReasonCode reason, String explanation) {
        fail(reason, explanation, peer.clientId(), RefusedText.shortened(explanation));
    }

    /**
     * The same where the log knows more than the client is told.
     *
     * @param object what it is about, for the limit of lines in the log
     * @param detail for the log
     */
    void fail(ReasonCode reason, String fullExplanation, String object, String detail) {
        end().fail(reason, fullExplanation, object, detail);
    }

    /** CONNECT is refused: CONNACK with the reason and close [MQTT-3.2.2-7]. */
    void refuse(ConnAck answer, String explanation) {
        refuse(answer, peer.clientId(), explanation);
    }

    /**
     * The same about something else than the client.
     *
     * @param object what it is about, for the limit of lines in the log
     * @param detail for the log
     */
    void refuse(ConnAck answer, String object, String detail) {
        end().refuse(answer, object, detail);
    }

    @Override
    public ClientOrigin origin() {
        return peer.origin();
    }

    @Override
    public ClientIdentity identity() {
        return peer.identity();
    }

    @Override
    public ConnectionFigures figures() {
        int port = channel.localAddress() instanceof InetSocketAddress local ? local.getPort() : 0;
        return new ConnectionFigures(
                protocol,
                port,
                connectedAtNs,
                traffic.receivedBytes(),
                traffic.receivedMessages(),
                traffic.sentBytes(),
                traffic.sentMessages());
    }

    Traffic traffic() {
        return traffic;
    }

    Peer peer() {
        return peer;
    }

    /** @param until when the login of the client is over, and the connection ends; null for never */
    void loginHolds(@Nullable Instant until) {
        if (until != null && loginEnd == null) {
            loginEnd = new LoginEnd(shared.loop, () -> end().onLoginOver());
        }
        if (loginEnd != null) {
            loginEnd.at(until);
        }
    }

    /** What the client may do, since it is connected. */
    AccessRights rights() {
        return Objects.requireNonNull(served).rights();
    }

    /** What CONNECT says about the client holds from now on. */
    void identify(ProtocolVersion clientVersion, ClientLimits limits, String identifier) {
        version = clientVersion;
        client = shared.shared(limits);
        peer.clientId(identifier);
        output.trace(PacketTrace.of(context.broker().tracer(), identifier, origin(), clientVersion));
    }

    /** The client is connected and has not said that it can authenticate again. */
    void forgetConnect() {
        connect = null;
    }

    /** Waits for another part of the broker before anything more is decoded. */
    void await(ConnectionState next) {
        become(next);
        pauseReading();
    }

    void become(ConnectionState next) {
        assert state.canBecome(next) : state + " cannot become " + next;
        state = next;
    }

    /** The session is here: answers CONNECT and begins to serve. */
    void begin(
            ClientSession ownSession,
            ConnAck answer,
            TopicAliases aliases,
            int keepAliveSeconds,
            AccessRights granted) {
        if (state == ConnectionState.CLOSED) {
            shared.loop.execute(() -> giveUp(ownSession));
            return;
        }
        become(ConnectionState.CONNECTED);
        connectedAtNs = shared.loop.clock().nanoTime();
        admission.accepted();
        RateWindows windows = RateWindows.of(granted.connection().expectedMessageRate(), context.options());
        sizeBuffers(windows);
        KeepAlive keepAlive = new KeepAlive(keepAliveSeconds, this);
        ServedSession serving = new ServedSession(
                this,
                context,
                shared,
                output,
                client,
                peer.clientId(),
                ownSession,
                granted,
                windows.receiveMaximum(),
                aliases,
                keepAlive);
        served = serving;
        if (!(ownSession.log() == null ? sendFreely(answer) : send(answer))) { // what ends with it is only here
            peer.noteClosed(ReasonCode.PACKET_TOO_LARGE.name(), "the client takes no packet as large as CONNACK");
            shared.loop.execute(() -> closeBehindOutput(false)); // the session does not know this connection yet
            return;
        }
        peer.noteConnected(version, answer.sessionPresent());
        serving.begin();
        resumeReading();
    }

    private void sizeBuffers(RateWindows windows) {
        if (windows.sendBufferBytes() > 0) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, windows.sendBufferBytes());
            channel.config().setOption(ChannelOption.SO_RCVBUF, windows.receiveBufferBytes());
        }
    }

    /** The connection ended before its session came; meanwhile another one may have taken the session over. */
    @SuppressWarnings("ReferenceEquality")
    private void giveUp(ClientSession ownSession) {
        if (ownSession.client() == this) {
            context.broker().sessions().disconnected(ownSession, false);
        }
    }

    void handle(int header, byte[] bytes, int from, int to) throws MalformedPacketException {
        traceReceived(header, bytes, from, to);
        if (state == ConnectionState.CONNECTED) {
            served.onPacket(header, bytes, from, to);
        } else if (state == ConnectionState.EXPECTING_CONNECT) {
            connect.onConnect(header, bytes, from, to);
        } else if (header >>> 4 == PacketType.CONNECT.number()) {
            onSecondConnect();
        } else {
            handleAuthenticating(PacketDecoder.decode(Sender.CLIENT, version, header, bytes, from, to));
        }
    }

    /** Traces a packet before it does anything. CONNECT tells it whether to. */
    void traceReceived(int header, byte[] bytes, int from, int to) {
        PacketTrace trace = output.trace();
        if (trace != null) {
            trace.received(header, bytes, from, to);
        }
    }

    private void handleAuthenticating(Packet packet) {
        if (packet instanceof Auth auth) {
            connect.onAuth(auth);
        } else if (packet.type() == PacketType.DISCONNECT) {
            closeBehindOutput(false);
        } else {
            fail(ReasonCode.PROTOCOL_ERROR, "only AUTH and DISCONNECT may come before CONNACK [MQTT-3.1.2-30]");
        }
    }

    /** Whatever its version and the rest of it say [MQTT-3.1.0-2]. */
    void onSecondConnect() {
        fail(ReasonCode.PROTOCOL_ERROR, "a second CONNECT [MQTT-3.1.0-2]");
    }

    /** A connected client sends AUTH. */
    void onReauthenticate(Auth packet) {
        if (connect == null) {
            fail(ReasonCode.PROTOCOL_ERROR, "AUTH without a method in CONNECT [MQTT-4.12.1-1]");
        } else {
            connect.onReauthenticate(packet);
        }
    }

    void onMalformed(MalformedPacketException e, byte[] bytes, int from, int to) {
        if (state == ConnectionState.EXPECTING_CONNECT) {
            connect.onMalformed(e, bytes, from, to);
        } else {
            fail(e.reasonCode(), e.reason());
        }
    }

    /** Of what comes next. */
    int maxPacketBytes() {
        return state == ConnectionState.CONNECTED
                ? admission.maxPacketBytes()
                : Math.min(admission.maxPacketBytes(), context.options().maxConnectBytes());
    }

    void endRun() {
        if (served != null) {
            served.endRun();
        }
    }

    void endInput() {
        if (served != null) {
            served.endInput();
        }
    }

    void countReceived() {
        if (served != null) {
            served.countReceived();
        }
    }

    /** Whether nothing is read because the broker does not want to: that is not the client's silence. */
    boolean isDeaf() {
        return intake.isDeaf();
    }

    void closeBehindOutput(boolean publishWill) {
        leave(publishWill);
        output.flushAndClose();
    }

    void closeAtOnce() {
        leave(true);
        channel.close();
    }

    /** Closes behind the output; the session, which ends or is another connection's, does not hear of it. */
    void closeWithoutSession() {
        detach();
        become(ConnectionState.CLOSED);
        output.flushAndClose();
    }

    /** Leaves the session; it may outlive this connection. */
    private void leave(boolean publishWill) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        ClientSession left = served == null ? null : served.session();
        detach();
        become(ConnectionState.CLOSED);
        if (left != null) {
            context.broker().sessions().disconnected(left, publishWill);
        }
        if (!channel.isActive()) {
            output.release();
        }
    }

    private void detach() {
        peer.noteEnded();
        if (loginEnd != null) {
            loginEnd.stop();
        }
        if (stallWatch != null) {
            stallWatch.stop();
        }
        if (served != null) {
            served.end();
        }
    }
}
