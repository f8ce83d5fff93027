package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.codec.FrameInput;
import dev.avocet.amqp.frame.Frame;
import dev.avocet.amqp.transfer.SessionFlows;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.FrontEnd.Admission;
import dev.avocet.core.broker.Leniency;
import dev.avocet.core.config.object.Protocol;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.StallWatch;
import dev.avocet.core.message.Message;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.metrics.Traffic;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.policy.ClientFacts;
import dev.avocet.core.policy.PolicySet;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.security.ClientIdentity;
import dev.avocet.core.security.ClientOrigin;
import dev.avocet.core.security.LoginEnd;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.core.session.ConnectionFigures;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.core.session.DisconnectCause;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Session;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.ConnectionError;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.jspecify.annotations.Nullable;

/**
 * One AMQP connection: from bytes to frames, from frames to the flows of its sessions or to ProtonJ2's engine, and the
 * end of it. What goes wrong
 * anywhere on a connection ends in {@link #fail}, which tells the client and closes.
 *
 * <p>Owned by the channel's event loop. Its states are those of {@link ConnectionState}.
 */
public final class AmqpConnection extends ChannelInboundHandlerAdapter
        implements ConnectedClient, Supplier<ClientFacts>, SaslNegotiation.Outcome {
    private static final String PROTOCOL = "jms";
    private static final String LOGIN_REFUSED = "login refused";
    private static final String LOGIN_NOT_BEGUN = "login not begun";
    private static final String LOGIN_INCOMPLETE = "login not completed";
    private static final String LOGIN_OVER = "login over";
    private static final String NOT_OPENED = "connection not opened";

    /** What is about who the client is and what it may do. */
    static final Set<String> SECURITY_CAUSES = Set.of(
            LOGIN_REFUSED,
            LOGIN_NOT_BEGUN,
            LOGIN_INCOMPLETE,
            LOGIN_OVER,
            NOT_OPENED,
            AmqpError.UNAUTHORIZED_ACCESS.toString());

    private static final byte[] EMPTY_FRAME = {0, 0, 0, 8, 2, 0, 0, 0};
    /**
     * What may wait to be sent, in answers above all, before nothing more is read: messages stop by themselves far
     * below.
     */
    private static final int MAX_UNSENT_BYTES = 1 << 20;

    /** What has come is taken out at once, so this is no memory: thousands of frames between two flow frames. */
    private static final int SESSION_WINDOW_BYTES = 1 << 30;

    private final AmqpContext context;
    private final IoLoop loop;
    private final Channel channel;
    private final Admission admission;
    private final LoopResources resources;
    private final FrameInput input;
    private final Traffic traffic;
    private final OutputBuffer output;
    private final SessionFlows flows;
    private final ProtocolEngine engine;
    private final LoginEnd loginEnd;

    private ConnectionState state = ConnectionState.EXPECTING_HEADER;
    private boolean batchEndScheduled;
    private boolean decoding;
    /** Why nothing is decoded; each reason ends by itself. */
    private int pauses;
    /** The client takes no answers, so it may not ask any more. */
    private boolean answersWait;

    private @Nullable StallWatch stallWatch;
    private @Nullable SaslNegotiation sasl;
    private @Nullable ClientIdentity identity;
    private @Nullable OpenProcess opening;
    // since open
    private String containerId = "";
    private @Nullable ClientSession session;
    private @Nullable AccessRights rights;
    private long connectedAtNs;
    private @Nullable IdleWatch idle;
    private @Nullable Links links;
    private boolean closedByClient;

    AmqpConnection(AmqpContext context, IoLoop loop, Channel channel, Admission admission, LoopResources resources) {
        this.context = context;
        this.loop = loop;
        this.resources = resources;
        this.channel = channel;
        this.admission = admission;
        this.input = new FrameInput(context.symbols(), resources.readArray());
        this.traffic = new Traffic(loop.counters(), admission.counters());
        this.loginEnd = new LoginEnd(loop, this::onLoginOver);
        this.output = new OutputBuffer(channel, traffic, admission, this::scheduleBatchEnd);
        output.trace(FrameTrace.of(context.broker().tracer(), containerId, admission.origin()));
        this.flows = new SessionFlows(output, this::scheduleBatchEnd, this::onViolation, this::onFlowFailed);
        this.engine = new ProtocolEngine(flows, output, context.options().maxFrameBytes(), this::onEngineFailed);
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
        input.add(read);
        if (pauses == 0) {
            decode();
        } else {
            input.keep();
        }
        if (state != ConnectionState.CLOSED && channel.bytesBeforeWritable() > MAX_UNSENT_BYTES) {
            answersWait = true;
            channel.config().setAutoRead(false);
        }
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
            answersWait = false;
            readOn();
            if (links != null) {
                links.onWritable();
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ignored) {
        noteIfNotOpened();
        leave();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
        if (cause instanceof IOException) {
            channel.close(); // the peer has reset the connection
        } else {
            pause();
            failLater(cause);
        }
    }

    @Override
    public void disconnect(DisconnectCause cause) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        note(cause.name(), "");
        session = null; // who calls decides about it
        engine.close(new ErrorCondition(ConnectionError.CONNECTION_FORCED, Wording.of(cause)));
        closeBehindOutput();
    }

    @Override
    public void onTraceChanged() {
        output.flush(); // what came before goes by the old rules
        output.trace(FrameTrace.of(context.broker().tracer(), containerId, origin()));
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

    Traffic traffic() {
        return traffic;
    }

    Broker broker() {
        return context.broker();
    }

    AmqpContext context() {
        return context;
    }

    IoLoop loop() {
        return loop;
    }

    LoopResources resources() {
        return resources;
    }

    OutputBuffer output() {
        return output;
    }

    Connection protocol() {
        return engine.connection();
    }

    /** What flows in the sessions. */
    SessionFlows flows() {
        return flows;
    }

    boolean isClosed() {
        return state == ConnectionState.CLOSED;
    }

    @Override
    public boolean isWanted() {
        return state != ConnectionState.CLOSED;
    }

    /** The session that the connection's own subscriptions belong to. */
    ClientSession session() {
        return Objects.requireNonNull(session);
    }

    String containerId() {
        return containerId;
    }

    /** Who publishes what comes over this connection: all connections of a container count as one. */
    Object publisher() {
        return containerId;
    }

    /** The largest message that the endpoint takes, in bytes. */
    int maxMessageBytes() {
        return admission.maxPacketBytes();
    }

    /** What the endpoint puts up with. */
    Leniency leniency() {
        return admission.leniency();
    }

    /** What the client may do by the policies of the endpoint. */
    AccessRights askRights() {
        return new AccessRights(admission.policies(), this);
    }

    /** What the client may do, since it is connected. */
    AccessRights rights() {
        return Objects.requireNonNull(rights);
    }

    /** The one place where what is known of a client becomes what policies ask about. */
    @Override
    public ClientFacts get() {
        ClientOrigin origin = admission.origin();
        return ClientFacts.of(identity(), containerId, origin.address(), origin.commonName(), Protocol.JMS);
    }

    @Override
    public ClientOrigin origin() {
        return admission.origin();
    }

    @Override
    public ClientIdentity identity() {
        return identity == null ? ClientIdentity.ANONYMOUS : identity;
    }

    /** Nothing more is decoded until {@link #resume}; the calls come in pairs. */
    void pause() {
        pauses++;
        channel.config().setAutoRead(false);
    }

    /** Goes on where {@link #pause} stopped. */
    void resume() {
        pauses--;
        if (pauses == 0 && state != ConnectionState.CLOSED) {
            if (idle != null) {
                idle.heard();
            }
            if (!decoding) {
                loop.execute(this::decodeHeld);
            }
        }
    }

    /** The client did what it must not, or cannot be served: it is told, and the connection is closed. */
    void fail(ErrorCondition condition) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        note(String.valueOf(condition.getCondition()), String.valueOf(condition.getDescription()));
        loop.counters().increment(Counter.PROTOCOL_ERRORS);
        engine.close(condition);
        closeBehindOutput();
    }

    /** The client is refused as it opens the connection. */
    void refuse(ErrorCondition condition) {
        if (state == ConnectionState.CLOSED) {
            return;
        }
        note(String.valueOf(condition.getCondition()), String.valueOf(condition.getDescription()));
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
                context.log().failed(who(), cause);
                fail(new ErrorCondition(AmqpError.INTERNAL_ERROR, "internal error"));
            }
        });
    }

    /** One line in the log a minute for each cause and client. */
    void note(String cause, String detail) {
        context.log().closed(cause, object(), who(), named(cause, detail));
    }

    /**
     * The same for something that was refused while the connection goes on.
     *
     * @param object what it is about, for the limit of lines in the log
     */
    void noteRefusal(String what, String object, String detail) {
        context.log().refused(what, object, this::who, () -> named(what, detail));
    }

    /** A message was refused as a queue or subscription is full. */
    void noteFull(Message message, MessageQueue queue) {
        context.log()
                .refused(
                        "full",
                        queue.name(),
                        this::who,
                        () -> (message.isForQueue() ? "message to queue '" : "message to topic '")
                                + ConnectionLog.shortened(message.topic().text()) + "': " + queue.fullness());
    }

    /** Who is refused for want of a policy reads which ones there are. */
    private String named(String cause, String detail) {
        PolicySet present = admission.policies().current();
        if (present == null || !cause.equals(AmqpError.UNAUTHORIZED_ACCESS.toString())) {
            return detail;
        }
        String policies = session == null
                ? present.connectionPolicies()
                : present.topicPolicies() + "; " + present.queuePolicies();
        return detail + "; endpoint '" + origin().endpoint() + "' has " + policies;
    }

    private String object() {
        String user = identity().userName();
        return containerId.isEmpty() && user != null ? user : containerId;
    }

    // SASL

    @Override
    public void onWait() {
        pause();
    }

    @Override
    public void onAnswer() {
        resume();
    }

    @Override
    public void onSuccess(ClientIdentity proved, @Nullable Instant until) {
        identity(proved, until);
        sasl = null;
        become(ConnectionState.EXPECTING_AMQP);
    }

    @Override
    public void onFailure(String why) {
        loop.counters().increment(Counter.AUTHENTICATION_FAILURES);
        note(LOGIN_REFUSED, sasl == null ? why : why + " (" + sasl.mechanism() + ")");
        closeBehindOutput();
    }

    // the opening

    void identify(String id) {
        containerId = id;
        output.trace(FrameTrace.of(context.broker().tracer(), containerId, origin()));
    }

    /** @param until when the login is over, or null for never */
    void identity(ClientIdentity proved, @Nullable Instant until) {
        identity = proved;
        loginEnd.at(until);
    }

    /** A client that is told so as if the broker closed for a reason of its own connects and logs in again. */
    private void onLoginOver() {
        note(LOGIN_OVER, "the time of the login is over");
        engine.close(
                new ErrorCondition(ConnectionError.CONNECTION_FORCED, "the time of the login is over; log in again"));
        closeBehindOutput();
    }

    boolean isKnown() {
        return identity != null;
    }

    /** The client may come in: its open is answered, and its frames are looked at again. */
    void begin(ClientSession own, AccessRights granted) {
        become(ConnectionState.OPEN);
        session = own;
        rights = granted;
        connectedAtNs = loop.clock().nanoTime();
        admission.accepted();
        links = new Links(this);
        Connection connection = engine.connection();
        connection.sessionOpenHandler(this::onSession);
        connection.open();
        if (context.log().tellsOfEvery()) {
            context.log().connected(who(), "AMQP 1.0");
        }
        long frameBytes = Math.min(connection.getMaxFrameSize(), connection.getRemoteMaxFrameSize());
        flows.opened(frameBytes, SESSION_WINDOW_BYTES / context.options().maxFrameBytes());
        long remoteIdleMs = Math.max(0, connection.getRemoteIdleTimeout());
        idle = new IdleWatch(
                loop,
                context.options().idleTimeoutMs(),
                remoteIdleMs,
                () -> pauses > 0 || answersWait,
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
            pause();
            failLater(e);
        }
    }

    private void decodeHeld() {
        if (state != ConnectionState.CLOSED && pauses == 0) {
            decode();
        }
    }

    private void readOn() {
        if (pauses == 0 && !answersWait && state != ConnectionState.CLOSED) {
            channel.config().setAutoRead(true);
        }
    }

    private void decode() {
        decoding = true;
        try {
            while (pauses == 0 && state != ConnectionState.CLOSED) {
                Frame frame = input.next(maxFrameBytes());
                if (frame == null) {
                    break;
                }
                traced(frame);
            }
        } catch (AmqpException e) {
            fail(e.condition());
        } finally {
            decoding = false;
            input.keep();
        }
        if (state == ConnectionState.CLOSED) {
            input.clear();
        } else {
            readOn(); // it may have been paused and resumed meanwhile
        }
    }

    private void onViolation(String how) {
        engine.violated(how);
    }

    private void onFlowFailed(RuntimeException cause) {
        pause();
        failLater(cause);
    }

    /** Handles a frame, and traces it; the frame that says who the client is, when that is known. */
    private void traced(Frame frame) throws AmqpException {
        FrameTrace trace = output.trace();
        if (trace != null) {
            input.check(frame);
            trace.received(frame);
        }
        handle(frame);
        FrameTrace begun = output.trace();
        if (trace == null && begun != null) {
            begun.received(frame);
        }
    }

    private int maxFrameBytes() {
        return switch (state) {
            case OPENING, OPEN -> context.options().maxFrameBytes();
            default -> AmqpOptions.MAX_SASL_FRAME_BYTES;
        };
    }

    private void handle(Frame frame) throws AmqpException {
        if (frame.isHeader()) {
            onHeader(frame);
        } else if (state != ConnectionState.OPEN || !frame.isAmqp() || !flows.take(frame)) {
            input.check(frame);
            handleRare(frame);
        }
    }

    private void handleRare(Frame frame) throws AmqpException {
        if (sasl != null && frame.isSasl()) {
            sasl.onFrame(frame);
        } else if (engine.isStarted() && frame.isAmqp()) {
            requireOpen(frame);
            engine.ingest(frame);
            ErrorCondition own = state == ConnectionState.CLOSED ? null : engine.ownClose();
            if (own != null) {
                fail(own); // what comes behind it is not looked at
            }
        } else {
            throw new AmqpException(ConnectionError.FRAMING_ERROR, "this is no frame for here: " + state);
        }
    }

    /** ProtonJ2 takes what comes before open, and the client is not known yet. */
    private void requireOpen(Frame frame) throws AmqpException {
        int code = frame.performative();
        if (state == ConnectionState.EXPECTING_OPEN && code != 0 && code != Frame.OPEN && code != Frame.CLOSE) {
            throw new AmqpException(AmqpError.ILLEGAL_STATE, "a connection begins with open");
        }
    }

    private void onHeader(Frame header) throws AmqpException {
        boolean first = state == ConnectionState.EXPECTING_HEADER;
        if (!header.isVersion1() || (header.protocolId() != 0 && header.protocolId() != 3)) {
            output.write(Frame.header(3)); // what is spoken here [AMQP 1.0 part 2, 2.2]
            note("protocol header", "not AMQP 1.0, plain or with SASL");
            closeBehindOutput();
        } else if (first && header.protocolId() == 3) {
            become(ConnectionState.AUTHENTICATING);
            sasl = new SaslNegotiation(context.authenticator(), admission.origin(), loop, output, this);
            sasl.begin();
        } else if ((first || state == ConnectionState.EXPECTING_AMQP) && header.protocolId() == 0) {
            become(ConnectionState.EXPECTING_OPEN);
            opening = new OpenProcess(this);
            Connection connection = engine.start(header);
            connection.openHandler(unused -> guarded(this::onOpen));
            connection.closeHandler(unused -> onClose());
        } else {
            throw new AmqpException(ConnectionError.FRAMING_ERROR, "a protocol header at the wrong time");
        }
    }

    private void onOpen() {
        become(ConnectionState.OPENING);
        Objects.requireNonNull(opening).begin();
    }

    private void onClose() {
        closedByClient = true;
        if (state != ConnectionState.CLOSED) {
            engine.close(null);
            closeBehindOutput();
        }
    }

    private void onEngineFailed(Throwable cause) {
        if (state != ConnectionState.CLOSED) {
            note("protocol error", String.valueOf(cause.getMessage()));
            loop.counters().increment(Counter.PROTOCOL_ERRORS);
            closeBehindOutput();
        }
    }

    private void onSilence() {
        loop.counters().increment(Counter.KEEP_ALIVE_TIMEOUTS);
        fail(new ErrorCondition(AmqpError.RESOURCE_LIMIT_EXCEEDED, "nothing came for twice the idle time-out"));
    }

    private void noteIfNotOpened() {
        int timeMs = admission.expiredAfterMs();
        String how = timeMs > 0 ? "the broker waited " + timeMs + " ms, its connectTimeoutMs" : "the client has gone";
        switch (state) {
            case AUTHENTICATING ->
                note(
                        Objects.requireNonNull(sasl).hasBegun() ? LOGIN_INCOMPLETE : LOGIN_NOT_BEGUN,
                        how + " (" + sasl.mechanism() + ")");
            case EXPECTING_AMQP, EXPECTING_OPEN -> note(NOT_OPENED, how + " (it has not sent open)");
            case OPENING -> note(NOT_OPENED, how + " (open is not answered yet)");
            case EXPECTING_HEADER, OPEN, CLOSED -> {
                // nothing began, or what began has been done
            }
        }
    }

    private void onStall() {
        loop.counters().increment(Counter.STALLED_CONSUMERS);
        note(DisconnectCause.STALLED.name(), "the client has stopped reading");
        leave();
        channel.close();
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

    private void closeBehindOutput() {
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
        loginEnd.stop();
        input.clear();
        if (stallWatch != null) {
            stallWatch.stop();
        }
        if (idle != null) {
            idle.stop();
        }
        if (links != null) {
            links.close(!closedByClient);
        }
        if (opening != null) {
            opening.release();
        }
        ClientSession left = session;
        session = null;
        if (left != null) {
            if (context.log().tellsOfEvery()) {
                context.log().ended(who());
            }
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

    private void become(ConnectionState next) {
        assert state.canBecome(next) : state + " cannot become " + next;
        state = next;
    }

    private String who() {
        ClientIdentity known = identity();
        String name = sasl == null ? known.userName() : sasl.userName();
        String user = name == null ? "" : " of user '" + name + "'";
        String id = containerId.isEmpty() ? "" : " '" + containerId + "'";
        return "JMS client" + id + user + " at " + channel.remoteAddress();
    }
}
