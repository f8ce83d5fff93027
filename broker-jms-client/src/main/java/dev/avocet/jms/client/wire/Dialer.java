package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.wire.login.Credentials;
import dev.avocet.jms.client.wire.login.Tls;
import dev.avocet.jms.client.wire.route.Hop;
import dev.avocet.jms.client.wire.route.Redirect;
import dev.avocet.jms.client.wire.route.Route;
import dev.avocet.jms.client.wire.route.WireException;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of a connection through the addresses, again and again: makes a line to the next one, and says when it is of
 * no use to go on. Owned by the connection's turn.
 */
final class Dialer {
    /** A server that closes with one of these may be there again soon; another reason is final. */
    private static final Set<String> PASSING = Set.of(
            "amqp:connection:forced",
            "amqp:resource-limit-exceeded",
            "amqp:internal-error",
            WireException.CONNECTION_LOST,
            WireException.CLOSED);

    private final WireConnection owner;
    private final Options options;
    private final Credentials credentials;
    private final EventLoop loop;
    private final Pauses pauses;
    private final Route route;
    private final @Nullable Tls tls;
    /** The connection was open once. */
    private boolean everOpened;

    Dialer(
            final WireConnection owner,
            final Options options,
            final @Nullable Tls tls,
            final Credentials credentials,
            final EventLoop loop,
            final Pauses pauses) {
        this.owner = owner;
        this.options = options;
        this.credentials = credentials;
        this.loop = loop;
        this.pauses = pauses;
        this.route = new Route(options);
        this.tls = tls;
    }

    /** Begins a line to the next address, which is lost when it is not there, or silent for too long. */
    Line dial() {
        final Hop hop = route.next();
        final Address address = hop.address();
        final Line next = new Line(owner, options, hop, credentials);
        final Bootstrap bootstrap = bootstrap(next, hop, route.connectMs());
        // Not on the loop, which others wait for: a name server may take its time.
        CompletableFuture.supplyAsync(() -> new InetSocketAddress(address.host(), address.port()))
                .thenAccept(resolved -> owner.run(() -> connect(bootstrap, next, resolved)));
        owner.runLater(() -> giveUpIfSilent(next), route.loginMs(everOpened));
        return next;
    }

    private void connect(final Bootstrap bootstrap, final Line next, final InetSocketAddress resolved) {
        if (!owner.isCurrent(next)) {
            return;
        }
        if (resolved.isUnresolved()) {
            next.lost(new WireException(
                    WireException.CONNECTION_LOST, "no connection to " + next.address() + ": unknown host"));
            return;
        }
        bootstrap.connect(resolved).addListener(done -> {
            if (!done.isSuccess()) {
                next.failed(new WireException(
                        WireException.CONNECTION_LOST,
                        "no connection to " + next.address() + ": " + message(done.cause()),
                        done.cause()));
            }
        });
    }

    private static String message(final @Nullable Throwable cause) {
        return cause == null ? "unknown" : String.valueOf(cause.getMessage());
    }

    private void giveUpIfSilent(final Line next) {
        if (owner.isCurrent(next) && owner.isWaiting()) {
            next.lost(new WireException(
                    WireException.CONNECTION_LOST,
                    next.address() + " did not complete the login in time (connectTimeout)"));
        }
    }

    private Bootstrap bootstrap(final Line next, final Hop hop, final long timeoutMs) {
        final Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                // Otherwise the channel closes its socket before its line hears of that: see LineOutput.
                .option(ChannelOption.ALLOW_HALF_CLOSURE, tls == null)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, timeoutMs))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(final Channel channel) {
                        if (tls != null) {
                            final SslHandler secure = tls.handler(channel.alloc(), hop.certified());
                            secure.handshakeFuture().addListener(done -> next.secured(done.cause()));
                            channel.pipeline().addLast(secure);
                        }
                        channel.pipeline().addLast(next);
                    }
                });
        final int received = options.count(Option.RECV_SOCK_BUFFER);
        if (received > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, received);
        }
        final int sent = options.count(Option.SEND_SOCK_BUFFER);
        if (sent > 0) {
            bootstrap.option(ChannelOption.SO_SNDBUF, sent);
        }
        return bootstrap;
    }

    /** The line is open. */
    void opened() {
        everOpened = true;
        route.opened(pauses.nowMs());
    }

    /** Null: the next line goes where the server sends us; otherwise why the line is lost. */
    @Nullable WireException redirected(final WireException cause, final boolean wasOpen) {
        final Redirect to = cause.redirect();
        return to == null || wasOpen && !options.flag(Option.RECONNECT) ? cause : route.redirected(to);
    }

    /** No other line can mend that. */
    boolean isFinal(final WireException cause, final boolean wasOpen) {
        if (wasOpen) {
            return !options.flag(Option.RECONNECT) || !isPassing(cause);
        }
        return !everOpened && !isPassing(cause);
    }

    /** The next address may do: also where a server sends us to one that we do not go to. */
    private boolean isPassing(final WireException cause) {
        return PASSING.contains(cause.condition())
                || route.hasOthers() && cause.condition().equals(Redirect.OF_CONNECTION);
    }

    /**
     * Has {@code next} dial when it is time for the next address; false: there were as many attempts as there may be.
     *
     * @param didWork a message went over the line that is lost
     */
    boolean again(final boolean wasOpen, final boolean didWork, final Runnable next) {
        final long delayMs = wasOpen ? route.afterLoss(didWork, pauses.nowMs()) : route.afterFailure();
        final int limit = options.count(everOpened ? Option.RECONNECT_ATTEMPTS : Option.INITIAL_CONNECT_ATTEMPTS);
        if (limit > 0 && route.rounds() >= limit) {
            return false;
        }
        if (delayMs == 0) {
            next.run();
        } else {
            pauses.pause(loop, delayMs, next);
        }
        return true;
    }
}
