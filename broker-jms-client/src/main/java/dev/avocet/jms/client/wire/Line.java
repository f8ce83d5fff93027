package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.wire.login.Credentials;
import dev.avocet.jms.client.wire.login.Login;
import dev.avocet.jms.client.wire.login.LoginDialogue;
import dev.avocet.jms.client.wire.route.Hop;
import dev.avocet.jms.client.wire.route.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import java.security.Principal;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.security.sasl.SaslException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.netty.Netty4ProtonBufferAllocator;
import org.apache.qpid.protonj2.buffer.netty.Netty4ToProtonBufferAdapter;
import org.apache.qpid.protonj2.engine.Connection;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;

/** One TCP connection and the AMQP engine that lives as long as it does. Bytes of one burst go out together. */
final class Line extends ChannelInboundHandlerAdapter {
    private static final Symbol SOLE_CONNECTION = Symbol.valueOf("sole-connection-for-container");
    private static final Symbol ANONYMOUS_RELAY = Symbol.valueOf("ANONYMOUS-RELAY");
    private static final Symbol DELAYED_DELIVERY = Symbol.valueOf("DELAYED_DELIVERY");
    private static final Symbol SHARED_SUBSCRIPTIONS = Symbol.valueOf("SHARED-SUBS");
    private static final Symbol ESTABLISHMENT_FAILED = Symbol.valueOf("amqp:connection-establishment-failed");

    private final WireConnection owner;
    private final Options options;
    private final Hop hop;
    private final Address address;
    private final Credentials credentials;
    private final Engine engine = EngineFactory.PROTON.createEngine();
    private final DispositionBatch dispositions = new DispositionBatch(this::room);
    private final PeerLimits limits = new PeerLimits();
    private final FrameReader input;

    private @Nullable ChannelHandlerContext context;
    private @Nullable Connection connection;
    private @Nullable LoginDialogue login;
    private volatile @Nullable LineOutput output;
    private boolean authenticated;
    private boolean answered;
    private boolean lost;

    Line(final WireConnection owner, final Options options, final Hop hop, final Credentials credentials) {
        this.owner = owner;
        this.options = options;
        this.hop = hop;
        this.address = hop.address();
        this.credentials = credentials;
        this.input = new FrameReader(options.ms(Option.MAX_FRAME_SIZE), owner.symbols());
    }

    Address address() {
        return address;
    }

    Hop hop() {
        return hop;
    }

    Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("the line has no engine yet");
        }
        return connection;
    }

    /** What the server allows. */
    PeerLimits limits() {
        return limits;
    }

    /** Of the transfer that is written next. */
    void batchable(final boolean unhurried) {
        dispositions.batchable(unhurried);
    }

    boolean isLost() {
        return lost;
    }

    boolean isWritable() {
        return context != null && context.channel().isWritable();
    }

    @Override
    public void handlerAdded(final ChannelHandlerContext added) {
        tell(() -> {
            context = added;
            output = new LineOutput(added, !options.tls());
            if (!options.tls() && added.channel().isActive()) {
                begin(added);
            }
        });
    }

    @Override
    public void channelActive(final ChannelHandlerContext at) {
        if (!options.tls()) {
            tell(() -> begin(at));
        }
    }

    /** The TLS handshake is over. */
    void secured(final @Nullable Throwable failure) {
        tell(() -> begin(failure));
    }

    private void begin(final @Nullable Throwable failure) {
        if (failure != null) {
            lost(new WireException(
                    WireException.CONNECTION_LOST,
                    "TLS with " + address + " failed: " + failure.getMessage(),
                    failure));
        } else if (context != null) {
            begin(context);
        }
    }

    private void begin(final ChannelHandlerContext at) {
        engine.configuration().setBufferAllocator(new Netty4ProtonBufferAllocator(at.alloc()));
        engine.outputHandler(this::write);
        engine.errorHandler(failed -> lost(failure(failed.failureCause())));
        limits.join(engine.pipeline());
        engine.pipeline().addFirst("dispositions", dispositions);
        engine.pipeline().addLast("frames", input);
        final String host = hop.hostname(options.text(Option.VIRTUAL_HOST));
        final Login asked = new Login(options.list(Option.SASL_MECHANISMS), host, credentials, principal(at));
        final LoginDialogue dialogue = new LoginDialogue(asked, address, this::authenticated);
        login = dialogue;
        engine.saslDriver().client().setListener(dialogue);
        connection = engine.start();
        connection.setHostname(host);
        engine.saslDriver().client().sendSASLHeader();
        flush();
    }

    private static @Nullable Principal principal(final ChannelHandlerContext at) {
        final SslHandler tls = at.pipeline().get(SslHandler.class);
        return tls == null ? null : tls.engine().getSession().getLocalPrincipal();
    }

    private void authenticated() {
        authenticated = true;
        final boolean passesBy = login != null && login.pretence() != null;
        // The engine is within its own handling of the outcome: what follows may write.
        owner.run(() -> {
            if (passesBy) {
                open("passing-by-" + UUID.randomUUID()); // as the server does not keep it, under any name
                flush();
            } else {
                owner.authenticated(this);
            }
        });
    }

    /** Sends the open frame. */
    void open(final String containerId) {
        final Connection opening = connection();
        opening.setContainerId(containerId);
        opening.setMaxFrameSize(options.ms(Option.MAX_FRAME_SIZE));
        opening.setChannelMax(0xffff);
        opening.setOfferedCapabilities(new Symbol[] {ANONYMOUS_RELAY});
        opening.setDesiredCapabilities(SOLE_CONNECTION, DELAYED_DELIVERY, ANONYMOUS_RELAY, SHARED_SUBSCRIPTIONS);
        opening.setProperties(Map.of(
                Symbol.valueOf("product"), "Avocet JMS", Symbol.valueOf("platform"), "JVM: " + Runtime.version()));
        if (!options.flag(Option.DISABLE_TIMEOUT)) {
            opening.setIdleTimeout(options.ms(Option.IDLE_TIMEOUT_MS));
        }
        opening.openHandler(this::opened);
        opening.closeHandler(
                closed -> lost(WireException.of(closed.getRemoteCondition(), "the server closed the connection")));
        opening.open();
        if (context != null) {
            engine.tickAuto(new TurnScheduler(this, owner, context.executor()));
        }
    }

    private void opened(final Connection remote) {
        final Map<Symbol, Object> properties = remote.getRemoteProperties();
        // A server that refuses says so here and closes right after, with the reason.
        if (properties != null && properties.containsKey(ESTABLISHMENT_FAILED)) {
            return;
        }
        final WireException pretence = login == null ? null : login.pretence();
        if (pretence == null) {
            owner.opened(this);
        } else {
            lost(pretence);
        }
    }

    private WireException failure(final @Nullable Throwable cause) {
        final WireException refused = login == null ? null : login.failure();
        if (refused != null) {
            return refused;
        }
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof SaslException) {
                return new WireException(
                        WireException.NOT_AUTHENTICATED, address + " refuses the login: " + at.getMessage(), cause);
            }
            if (at instanceof MalformedAmqpException) {
                return new WireException(
                        WireException.CONNECTION_LOST,
                        "the connection to " + address + " failed: the server sent " + at.getMessage(),
                        cause);
            }
        }
        return new WireException(
                WireException.CONNECTION_LOST, "the connection to " + address + " failed: " + cause, cause);
    }

    @Override
    public void channelRead(final ChannelHandlerContext at, final Object message) {
        owner.tell(() -> read((ByteBuf) message));
    }

    private void read(final ByteBuf read) {
        try {
            if (!lost) {
                answered = authenticated;
                input.add(read);
                engine.ingest(input.signal());
            }
        } catch (final RuntimeException e) {
            lost(failure(e));
        } finally {
            read.release();
        }
    }

    /** Something came from the server since the login. */
    boolean hasAnswered() {
        return answered;
    }

    /** The message that is read just now, as {@link FrameReader#takeMessage} gives it. */
    byte @Nullable [] takeMessage() {
        return input.takeMessage();
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext at) {
        tell(() -> {
            owner.readComplete(); // of a line that is lost nothing was touched
            flush();
        });
    }

    @Override
    public void userEventTriggered(final ChannelHandlerContext at, final Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            cut();
        } else {
            at.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelWritabilityChanged(final ChannelHandlerContext at) {
        if (at.channel().isWritable()) {
            tell(() -> {
                owner.writable();
                flush();
            });
        }
    }

    @Override
    public void channelInactive(final ChannelHandlerContext at) {
        cut();
    }

    private void cut() {
        writeHereOnly();
        tell(() -> lost(new WireException(
                WireException.CONNECTION_LOST,
                "the connection to " + address + " was cut" + (authenticated ? "" : beforeTheLoginWasOver()))));
    }

    private String beforeTheLoginWasOver() {
        return " before the login was over"
                + (login == null ? "" : " (" + login.who() + "); the server's log may say why");
    }

    @Override
    public void exceptionCaught(final ChannelHandlerContext at, final Throwable cause) {
        final String what = cause instanceof SSLException || cause instanceof SSLPeerUnverifiedException
                ? "TLS with "
                : "the connection to ";
        final WireException loss = new WireException(
                WireException.CONNECTION_LOST, what + address + " failed: " + cause.getMessage(), cause);
        writeHereOnly();
        tell(() -> lost(loss));
    }

    /** The channel is about to close its socket: no other thread may write to it. On the event loop. */
    private void writeHereOnly() {
        if (output != null) {
            output.loopOnly();
            owner.awaitWrites();
        }
    }

    /** Does with the turn what the channel has to say. On the event loop. */
    private void tell(final Runnable event) {
        owner.tell(() -> {
            try {
                event.run();
            } catch (final RuntimeException e) {
                lost(failure(e));
            }
        });
    }

    private void write(final ProtonBuffer buffer, final @Nullable Runnable written) {
        final ByteBuf to = room(buffer.getReadableBytes());
        if (buffer instanceof final Netty4ToProtonBufferAdapter netty) {
            final ByteBuf bytes = netty.unwrapAndRelease();
            to.writeBytes(bytes);
            bytes.release();
        } else {
            final byte[] bytes = new byte[buffer.getReadableBytes()];
            buffer.copyInto(buffer.getReadOffset(), bytes, 0, bytes.length);
            to.writeBytes(bytes);
        }
        if (written != null) {
            written.run();
        }
    }

    private ByteBuf room(final int bytes) {
        if (output == null) {
            throw new IllegalStateException("output before the channel is active");
        }
        return output.room(bytes);
    }

    /** Threads other than the event loop may write to the socket. */
    boolean isDirect() {
        return output != null && output.isDirect();
    }

    /** Sends what was written since the last flush; false: the event loop has to do it. */
    boolean flush() {
        if (lost || output == null) {
            return true;
        }
        try {
            dispositions.flush();
        } catch (final RuntimeException e) {
            lost(failure(e));
            return true;
        }
        return output.flush();
    }

    /** Sends the close frame; the server's own ends the line, or the time does. */
    void close(final long timeoutMs) {
        if (lost) {
            return;
        }
        if (context == null || connection == null || connection.isRemotelyClosed() || !connection.isLocallyOpen()) {
            lost(new WireException(WireException.CLOSED, "closed"));
            return;
        }
        connection.close();
        flush();
        owner.runLater(() -> lost(new WireException(WireException.CLOSED, "closed")), timeoutMs);
    }

    /** The line cannot be had. On the event loop. */
    void failed(final WireException cause) {
        tell(() -> lost(cause));
    }

    /** The end of the line, whatever the cause; only the first counts. */
    void lost(final WireException cause) {
        if (lost) {
            return;
        }
        flush();
        lost = true;
        input.clear();
        if (output != null) {
            output.clear();
        }
        if (context != null) {
            context.close();
        }
        try {
            engine.shutdown();
        } catch (final RuntimeException e) {
            cause.addSuppressed(e);
        }
        owner.lost(this, cause);
    }
}
