package dev.avocet.amqp.connection;

import dev.avocet.amqp.peer.AmqpClient;
import dev.avocet.amqp.peer.AmqpContext;
import dev.avocet.amqp.peer.ConnectionNotes;
import dev.avocet.amqp.peer.ConnectionState;
import dev.avocet.amqp.peer.FrameTrace;
import dev.avocet.amqp.peer.IdleWatch;
import dev.avocet.amqp.peer.InputGate;
import dev.avocet.amqp.peer.OutputBuffer;
import dev.avocet.amqp.peer.Wording;
import dev.avocet.amqp.transfer.SessionFlows;
import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LingeringClose;
import dev.avocet.core.loop.StallWatch;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.metrics.Traffic;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.security.login.ClientIdentity;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.ConnectionFigures;
import dev.avocet.core.session.DisconnectCause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * One AMQP connection: what it consists of, the states that it goes through, and its end. How frames come in is
 * {@link FrameIntake}, how its client does {@link Handshake}, and what its links need of it {@link OpenConnection}.
 * What goes wrong anywhere on a connection ends in {@link #fail}, which tells the client and closes.
 *
 * <p>Owned by the channel's event loop. Its states are those of {@link ConnectionState}.
 */
public final class AmqpConnection extends ChannelInboundHandlerAdapter implements ConnectedClient {
    private static final String PROTOCOL = "jms";
    /** Answers that are not urgent wait so long for something else that goes to the client. */
    private static final long HELD_ANSWERS_MS = 20;

    private static final byte[] EMPTY_FRAME = {0, 0, 0, 8, 2, 0, 0, 0};

    /** What has come is taken out at once, so this is no memory: thousands of frames between two flow frames. */
    private static final int SESSION_WINDOW_BYTES = 1 << 30;

    private final AmqpContext context;
    private final IoLoop loop;
    private final Channel channel;
    private final Admission admission;
    private final AmqpClient client;
    private final ConnectionNotes notes;
    private final InputGate gate;
    private final Traffic traffic;
    private final OutputBuffer output;
    private final SessionFlows flows;
    private final ProtocolEngine engine;
    private final OpenConnection.Parts parts;
    private final Handshake handshake;
    private final FrameIntake intake;

    private ConnectionState state = ConnectionState.EXPECTING_HEADER;
    private boolean batchEndScheduled;

    private @Nullable StallWatch stallWatch;
    // since open
    private @Nullable ClientSession session;
    private long connectedAtNs;
    private @Nullable IdleWatch idle;
    private @Nullable Links links;
    private boolean closedByClient;

    AmqpConnection(AmqpContext context, IoLoop loop, Channel channel, Admission admission, LoopResources resources) {
        this.context = context;
        this.loop = loop;
        this.channel = channel;
        this.admission = admission;
        this.client = new AmqpClient(admission, channel);
        this.notes = new ConnectionNotes(context.log(), admission, client);
        this.gate = new InputGate(channel);
        this.traffic = new Traffic(loop.counters(), admission.counters());
        this.output = new OutputBuffer(channel, traffic, admission, this::scheduleBatchEnd);
        this.flows = new SessionFlows(
                output, this::scheduleBatchEnd, this::holdAnswers, this::onViolation, this::onFlowFailed);
        this.engine = new ProtocolEngine(flows, output, context.options().maxFrameBytes(), this::onEngineFailed);
        this.parts =
                new OpenConnection.Parts(context, loop, admission, resources, traffic, output, flows, client, notes);
        this.handshake = new Handshake(this, parts, engine);
        this.intake = new FrameIntake(this, parts, engine, handshake, gate);
        trace();
    }

    @Override
    public void channelRead(ChannelHandlerContext ignored, Object message) {
        ByteBuf read = (ByteBuf) message;
        if (state == ConnectionState.CLOSED) {
            read.release();
            return;
        }
        if (idle != null) {
            idle.heard();
        }
        traffic.receivedBytes(read.readableBytes());
        intake.read(read);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ignored) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        if (stallWatch == null) {
            stallWatch = new StallWatch(channel, loop, context.options().stallTimeoutMs(), this::onStall);
        }
        stallWatch.onWritabilityChanged();
        if (channel.isWritable()) {
            gate.onWritable();
            if (links != null) {
                links.onWritable();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ignored) {
        notes.notOpened(state);
        leave();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
        if (cause instanceof IOException) {
            channel.close(); // the peer has reset the connection
        } else {
            gate.pause();
            failLater(cause);
        }
    }

    @Override
    public void disconnect(DisconnectCause cause) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        notes.closed(cause.name(), "");
        session = null; // the caller decides about it
        engine.close(new ErrorCondition(ConnectionError.CONNECTION_FORCED, Wording.of(cause)));
        closeBehindOutput();
    }

    @Override
    public void onTraceChanged() {
        output.flush(); // what came before goes by the old rules
        trace();
    }

    private void trace() {
        output.trace(FrameTrace.of(context.broker().tracer(), client.containerId(), client.origin()));
    }

    @Override
    public ConnectionFigures figures() {
        int port = channel.localAddress() instanceof InetSocketAddress local ? local.getPort() : 0;
        return new ConnectionFigures(
                PROTOCOL,
                port,
                connectedAtNs,
                traffic.receivedBytes(),
                traffic.receivedMessages(),
                traffic.sentBytes(),
                traffic.sentMessages());
    }

    @Override
    public void onSubscriptionEnding(String key) {
        if (links != null) {
            links.onSubscriptionEnding(key);
        }
    }

    AmqpContext context() {
        return context;
    }

    IoLoop loop() {
        return loop;
    }

    AmqpClient client() {
        return client;
    }

    Connection protocol() {
        return engine.connection();
    }

    boolean isClosed() {
        return state == ConnectionState.CLOSED;
    }

    ConnectionState state() {
        return state;
    }

    /** What the client may do by the policies of the endpoint. */
    AccessRights askRights() {
        return new AccessRights(admission.policies(), client);
    }

    @Override
    public ClientOrigin origin() {
        return client.origin();
    }

    @Override
    public ClientIdentity identity() {
        return client.identity();
    }

    /** Nothing more is decoded until {@link #resume}; the calls come in pairs. */
    void pause() {
        gate.pause();
    }

    /** Goes on where {@link #pause} stopped. */
    void resume() {
        if (gate.resume() && state != ConnectionState.CLOSED) {
            if (idle != null) {
                idle.heard();
            }
            intake.goOn();
        }
    }

    /** The client did what it must not, or cannot be served: it is told, and the connection is closed. */
    void fail(ErrorCondition condition) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        notes.closed(condition);
        loop.counters().increment(Counter.PROTOCOL_ERRORS);
        engine.close(condition);
        closeBehindOutput();
    }

    /** The client is refused as it opens the connection. */
    void refuse(ErrorCondition condition) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        notes.closed(condition);
        engine.close(condition);
        closeBehindOutput();
    }

    /**
     * The broker itself did something wrong. Not at once: it may have happened in the middle of a delivery or of a
     * disconnect.
     */
    void failLater(Throwable cause) {
        loop.execute(() -> {
            if (state != ConnectionState.CLOSED) {
                notes.failed(cause);
                fail(new ErrorCondition(AmqpError.INTERNAL_ERROR, "internal error"));
            }
        });
    }

    /** The client says how it calls itself. */
    void identify(String id) {
        client.containerId(id);
        trace();
    }

    /** @param until when the login is over, or null for never */
    void identity(ClientIdentity proved, @Nullable Instant until) {
        handshake.identity(proved, until);
    }

    /** The client may come in: its open is answered, and its frames are looked at again. */
    void begin(ClientSession own, AccessRights granted) {
        become(ConnectionState.OPEN);
        session = own;
        connectedAtNs = loop.clock().nanoTime();
        admission.accepted();
        links = new Links(new OpenConnection(this, parts, own, granted));
        Connection connection = engine.connection();
        connection.sessionOpenHandler(this::onSession);
        connection.open();
        notes.opened();
        long frameBytes = Math.min(connection.getMaxFrameSize(), connection.getRemoteMaxFrameSize());
        flows.opened(frameBytes, SESSION_WINDOW_BYTES / context.options().maxFrameBytes());
        long remoteIdleMs = Math.max(0, connection.getRemoteIdleTimeout());
        idle = new IdleWatch(
                loop,
                context.options().idleTimeoutMs(),
                remoteIdleMs,
                gate::isShut,
                output::takeUsed,
                () -> output.write(EMPTY_FRAME),
                this::onSilence);
    }

    private void onSession(Session opened) {
        flows.begin();
        opened.setIncomingCapacity(SESSION_WINDOW_BYTES);
        opened.setHandleMax(context.options().maxLinks() - 1L);
        opened.senderOpenHandler(
                sender -> guarded(() -> Objects.requireNonNull(links).onSender(sender)));
        opened.receiverOpenHandler(
                receiver -> guarded(() -> Objects.requireNonNull(links).onReceiver(receiver)));
        opened.closeHandler(session -> {
            Objects.requireNonNull(links).onSessionEnd(session);
            session.close();
        });
        opened.open();
    }

    /** What fails within ProtonJ2's calls would be lost there. */
    void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            gate.pause();
            failLater(e);
        }
    }

    private void onViolation(String how) {
        engine.violated(how);
    }

    private void onFlowFailed(RuntimeException cause) {
        gate.pause();
        failLater(cause);
    }

    /** The client has closed the connection. */
    void onClose() {
        closedByClient = true;
        if (state != ConnectionState.CLOSED) {
            engine.close(null);
            closeBehindOutput();
        }
    }

    private void onEngineFailed(Throwable cause) {
        if (state != ConnectionState.CLOSED) {
            notes.closed("protocol error", String.valueOf(cause.getMessage()));
            loop.counters().increment(Counter.PROTOCOL_ERRORS);
            closeBehindOutput();
        }
    }

    private void onSilence() {
        loop.counters().increment(Counter.KEEP_ALIVE_TIMEOUTS);
        fail(new ErrorCondition(AmqpError.RESOURCE_LIMIT_EXCEEDED, "nothing came for twice the idle time-out"));
    }

    private void onStall() {
        loop.counters().increment(Counter.STALLED_CONSUMERS);
        notes.closed(DisconnectCause.STALLED.name(), "the client has stopped reading");
        leave();
        channel.close();
    }

    private void holdAnswers() {
        Future<?> unused = channel.eventLoop().schedule(this::releaseAnswers, HELD_ANSWERS_MS, TimeUnit.MILLISECONDS);
    }

    private void releaseAnswers() {
        if (state != ConnectionState.CLOSED) {
            flows.release();
        }
    }

    private void scheduleBatchEnd() {
        if (!batchEndScheduled) {
            batchEndScheduled = true;
            loop.atBatchEnd(this::endBatch);
        }
    }

    private void endBatch() {
        if (state != ConnectionState.CLOSED) {
            flows.flush();
        }
        batchEndScheduled = false;
        output.flush();
    }

    /** The connection ends once the client has been sent what was written. */
    void closeBehindOutput() {
        leave();
        output.flush();
        LingeringClose.close(channel, loop);
    }

    /** Leaves everything that the connection had a part in. */
    private void leave() {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        become(ConnectionState.CLOSED);
        handshake.stop();
        intake.clear();
        if (stallWatch != null) {
            stallWatch.stop();
        }
        if (idle != null) {
            idle.stop();
        }
        if (links != null) {
            links.close(!closedByClient);
        }
        handshake.release();
        ClientSession left = session;
        session = null;
        if (left != null) {
            notes.ended();
            context.broker().sessions().disconnected(left, false);
        }
        FrameTrace trace = output.trace();
        if (trace != null) {
            channel.closeFuture().addListener(closed -> trace.ended());
        }
        if (!channel.isActive()) {
            output.release();
        }
    }

    void become(ConnectionState next) {
        assert state.canBecome(next) : state + " cannot become " + next;
        state = next;
    }
}
