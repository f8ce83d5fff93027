package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.codec.Clock;
import dev.avocet.jms.client.codec.SymbolMemory;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.wire.login.Credentials;
import dev.avocet.jms.client.wire.login.Tls;
import dev.avocet.jms.client.wire.route.Hop;
import dev.avocet.jms.client.wire.route.WireException;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.types.Symbol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that outlives its lines: it has its {@link Dialer} make another, and brings its sessions and links to
 * it. Owned by its turn; {@link #run} and {@link #send} are the ways there.
 */
public final class WireConnection {
    private static final Logger LOG = LoggerFactory.getLogger(WireConnection.class);

    private static final Runnable NOTHING = () -> {};

    private final Options options;
    private final WireEvents events;
    private final EventLoops loops;
    private final EventLoop loop;
    private final Dialer dialer;
    private final WatchedIoHandler watch;
    private final Turns turns;
    private final Pace sends = new Pace();
    private final Pace acknowledgements = new Pace();
    private final List<WireSession> sessions = new ArrayList<>();
    /** Of sessions that the server has yet to end; they are over with the line at the latest. */
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();

    private final List<WireReceiver> touched = new ArrayList<>();
    private final SymbolMemory symbols = new SymbolMemory();
    private final long messageMaxBytes;
    private final CompletableFuture<Void> authenticated = new CompletableFuture<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private @Nullable Line line;
    /** It had nothing to do until the first use, which may be late: the server closes such lines after a while. */
    private @Nullable Line idle;

    private @Nullable String containerId;
    private @Nullable WireException failure;
    private boolean lineOpen;
    private boolean closing;
    /** A message went over this line. */
    private boolean worked;

    private volatile List<Symbol> capabilities = List.of();
    /** The line is open, and any thread may write to its socket. */
    private volatile boolean direct;

    /**
     * @throws WireException when TLS cannot be set up
     */
    public WireConnection(
            final Options options, final Credentials credentials, final WireEvents events, final EventLoops loops)
            throws WireException {
        this(options, credentials, events, loops, Pauses.REAL);
    }

    WireConnection(
            final Options options,
            final Credentials credentials,
            final WireEvents events,
            final EventLoops loops,
            final Pauses pauses)
            throws WireException {
        this.options = options;
        this.messageMaxBytes = options.ms(Option.MAX_MESSAGE_SIZE);
        this.events = events;
        final Tls tls = options.tls() ? new Tls(options) : null;
        this.loops = loops;
        this.loop = loops.acquire();
        this.watch = loops.watch(loop);
        this.turns = new Turns(loop, this::flush);
        this.dialer = new Dialer(this, options, tls, credentials, loop, pauses);
    }

    /** Does {@code task} on the event loop, after those that were given before; from any thread. */
    public void run(final Runnable task) {
        turns.run(task);
    }

    /**
     * Sends what {@code task} gives a link: on the calling thread when it comes alone and the event loop sleeps, which
     * is slow to wake, and on the event loop where others follow closely, as they go out together then. From any
     * thread.
     *
     * @param awaited the caller does nothing until the answer is there, so nothing of its own follows
     */
    public void send(final Runnable task, final boolean awaited) {
        write(task, awaited, sends);
    }

    /** Acknowledges by {@code task} what a link has received; as {@link #send}. */
    public void acknowledge(final Runnable task) {
        write(task, false, acknowledgements);
    }

    /** Of what a busy loop is given, what the application does next goes with it: a reply with its acknowledgement. */
    private void write(final Runnable task, final boolean last, final Pace pace) {
        if (direct && watch.isAsleep() && (last || watch.isCalm()) && pace.isAlone(Clock.nowNs())) {
            turns.runHere(task);
        } else {
            turns.run(task);
        }
    }

    /** Waits until no other thread writes to the socket. */
    void awaitWrites() {
        turns.awaitCaller();
    }

    /** Has what the event loop has to tell done with the turn, on the event loop. */
    void tell(final Runnable event) {
        watch.awake();
        turns.tell(event);
    }

    /** Runs {@code task} on the event loop in so many milliseconds. */
    public void runLater(final Runnable task, final long delayMs) {
        loop.schedule(() -> run(task), delayMs, TimeUnit.MILLISECONDS);
    }

    /** The threads on which the application is called. */
    public Executor callbacks() {
        return loops.callbacks();
    }

    /** Begins; the future ends when a server has let us in. */
    public CompletableFuture<Void> connect() {
        run(this::tryNext);
        return authenticated;
    }

    /** Sends the open frame with this container identifier, now and on each later line. */
    public CompletableFuture<Void> open(final String container) {
        run(() -> {
            if (containerId == null) {
                containerId = container;
                if (line != null && authenticated.isDone()) {
                    idle = line;
                    line.open(container);
                } else if (line == null && authenticated.isDone()) {
                    tryNext();
                }
            }
        });
        return opened;
    }

    /** Ends the connection; the future ends when the line is down. */
    public CompletableFuture<Void> close() {
        run(() -> {
            closing = true;
            if (line == null) {
                end(new WireException(WireException.CLOSED, "the connection is closed"));
            } else {
                line.close(options.ms(Option.CLOSE_TIMEOUT_MS));
            }
        });
        return ended;
    }

    /**
     * A send in a transaction that fails is told by the commit, which then must fail; and the server can see to that.
     */
    boolean isTransactionAllOrNothing() {
        return options.flag(Option.ASYNC_TRANSACTION_SEND) && capabilities.contains(WireTransactions.ALL_OR_NOTHING);
    }

    /** The server offers this capability. */
    public boolean offers(final String capability) {
        return capabilities.contains(Symbol.valueOf(capability));
    }

    private void tryNext() {
        if (closing || failure != null) {
            return;
        }
        line = dialer.dial();
    }

    boolean isCurrent(final Line which) {
        return which == line;
    }

    /** The line is not open yet, and there is more to do before it is. */
    boolean isWaiting() {
        return !lineOpen && !(containerId == null && authenticated.isDone());
    }

    void authenticated(final Line by) {
        if (by != line) {
            return;
        }
        authenticated.complete(null);
        if (containerId != null) {
            by.open(containerId);
        }
    }

    void opened(final Line by) {
        if (by != line) {
            return;
        }
        lineOpen = true;
        direct = by.isDirect();
        idle = null;
        dialer.opened();
        final Symbol[] offered = by.connection().getRemoteOfferedCapabilities();
        capabilities = offered == null ? List.of() : List.of(offered);
        for (final WireSession session : List.copyOf(sessions)) {
            session.attach(by);
        }
        if (!opened.complete(null)) {
            LOG.info("connected again, to {}", by.address());
            events.restored(by.address());
        }
    }

    void lost(final Line which, final WireException cause) {
        if (which != line) {
            return;
        }
        final boolean wasOpen = lineOpen;
        final boolean unused = containerId == null && authenticated.isDone();
        final boolean wasIdle =
                which == idle && !which.hasAnswered() && cause.condition().equals(WireException.CONNECTION_LOST);
        idle = null;
        line = null;
        lineOpen = false;
        direct = false;
        final boolean didWork = worked;
        worked = false;
        touched.clear();
        ends.forEach(end -> end.complete(null));
        ends.clear();
        if (closing) {
            end(cause);
            return;
        }
        if (unused) {
            LOG.debug(
                    "the server has closed what was not used yet; the first use connects again: {}",
                    cause.getMessage());
            return;
        }
        if (wasIdle) {
            LOG.debug("the server has closed what is used for the first time now: {}", cause.getMessage());
            run(this::tryNext);
            return;
        }
        if (wasOpen) {
            LOG.info("connection lost: {}", cause.getMessage());
            for (final WireSession session : List.copyOf(sessions)) {
                session.detached(cause);
            }
        }
        final WireException reason = dialer.redirected(cause, wasOpen);
        if (reason == null) {
            LOG.info("on to {}, where {} sends its clients", cause.redirect(), which.address());
        } else if (dialer.isFinal(reason, wasOpen)) {
            end(reason);
            return;
        }
        if (wasOpen) {
            events.interrupted(cause);
        }
        if (reason == null) {
            run(this::tryNext);
        } else {
            LOG.debug("no line: {}", reason.getMessage());
            if (!dialer.again(wasOpen, didWork, () -> run(this::tryNext))) {
                end(reason);
            }
        }
    }

    private void end(final WireException cause) {
        if (failure != null) {
            return;
        }
        failure = cause;
        authenticated.completeExceptionally(cause);
        final boolean wasUp = !opened.completeExceptionally(cause);
        if (!closing && wasUp) {
            events.failed(cause);
        }
        for (final WireSession session : List.copyOf(sessions)) {
            session.ended(cause);
        }
        sessions.clear();
        ended.complete(null);
        loops.release();
    }

    /**
     * Begins a session; {@link WireSession#opened} tells when the server has it.
     *
     * @param first on a new line it is brought up before the others, because it holds what they need
     */
    public WireSession session(final boolean first) {
        final WireSession session = new WireSession(this);
        if (failure != null) {
            session.ended(failure);
            return session;
        }
        if (line != null && sessions.size() >= line.limits().sessionsMax()) {
            session.ended(new WireException(
                    WireException.LIMIT_EXCEEDED,
                    "the connection has " + sessions.size() + " sessions, and the server allows no more"
                            + " (its channel-max); close some, or open another connection"));
            return session;
        }
        sessions.add(first ? 0 : sessions.size(), session);
        if (lineOpen && line != null) {
            session.attach(line);
        }
        return session;
    }

    void remove(final WireSession session) {
        sessions.remove(session);
    }

    /**
     * It is not brought to another line; {@code end} completes when the server has ended it, or when this line is lost.
     */
    void ending(final WireSession session, final CompletableFuture<Void> end) {
        sessions.remove(session);
        ends.removeIf(CompletableFuture::isDone);
        ends.add(end);
    }

    /** Whether the answer to the message that is written next is not urgent. */
    void batchable(final boolean unhurried) {
        if (line != null) {
            line.batchable(unhurried);
        }
    }

    /** Bytes may be written without piling up. */
    boolean isWritable() {
        return line != null && line.isWritable();
    }

    void writable() {
        for (final WireSession session : sessions) {
            session.pump();
        }
    }

    /** The message that is read just now, as {@link FrameReader#takeMessage} gives it. */
    byte @Nullable [] takeMessage() {
        return line == null ? null : line.takeMessage();
    }

    /** Where the line goes; null while there is none. */
    @Nullable Hop server() {
        return line == null ? null : line.hop();
    }

    /** Those that the servers of all lines have used. */
    SymbolMemory symbols() {
        return symbols;
    }

    /** The largest message that is accepted, in bytes. */
    long messageMaxBytes() {
        return messageMaxBytes;
    }

    /** Ends the line, and for good where the cause is no passing one. */
    void fail(final WireException cause) {
        if (line != null) {
            line.lost(cause);
        }
    }

    /** A message has come, or an answer to one that was sent. */
    void worked() {
        worked = true;
    }

    void touch(final WireReceiver receiver) {
        touched.add(receiver);
    }

    void readComplete() {
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).readComplete();
        }
        touched.clear();
    }

    private void flush() {
        if (line != null && !line.flush()) {
            turns.run(NOTHING); // with a turn of the event loop, which flushes at its end
        }
    }
}
