package dev.avocet.jms.client.wire.route;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which server is tried next, and after which pause: each address in turn, with a growing pause after each round of
 * them. A line that was open and did something, or lasted as long as the longest pause, begins anew; a server that lets
 * clients in and throws them out again does not.
 *
 * <p>A redirect holds for one line: when that is lost the addresses of the URL are tried again. Owned by the
 * connection's event loop.
 */
public final class Route {
    /** So many servers may send the client on before it believes that they go round in a circle. */
    public static final int REDIRECTS_MAX = 5;

    private static final int DOUBLED_MAX = 20;
    /** What a host has to take the connection in the first round, where another address is left. */
    private static final long CONNECT_MS = 2_000;
    /** The same for all until the connection is open, once it was open before. */
    private static final long LOGIN_MS = 5_000;

    private final Options options;
    private final List<Address> addresses;
    private int index;
    private int rounds;
    private long openedAtMs;
    /** The last line that was open did nothing. */
    private boolean idle;

    private @Nullable Hop redirect;
    private int redirects;

    public Route(final Options options) {
        this.options = options;
        this.addresses = options.addresses();
    }

    public Hop next() {
        return redirect == null ? new Hop(addresses.get(index), "") : redirect;
    }

    /**
     * How long the next server may take to take the connection, in milliseconds. Where there are several addresses a
     * host that does not answer is passed over sooner, but later in each round than in the one before.
     */
    public long connectMs() {
        return patience(CONNECT_MS);
    }

    /**
     * How long it may take until the connection is open, in milliseconds.
     *
     * @param again whether it was open before; only then are there as many rounds as it takes
     */
    public long loginMs(final boolean again) {
        return again ? patience(LOGIN_MS) : options.ms(Option.CONNECT_TIMEOUT_MS);
    }

    private long patience(final long firstMs) {
        final long most = options.ms(Option.CONNECT_TIMEOUT_MS);
        final boolean isAlone = addresses.size() == 1 || redirect != null;
        return isAlone ? most : Math.min(most, firstMs << Math.min(DOUBLED_MAX, rounds));
    }

    /** Whether the URL has more than one address. */
    public boolean hasOthers() {
        return addresses.size() > 1;
    }

    /** Rounds of addresses that came to nothing. */
    public int rounds() {
        return rounds;
    }

    public void opened(final long nowMs) {
        openedAtMs = nowMs;
        if (!idle) {
            rounds = 0;
        }
    }

    /** Chooses the next address; returns the pause before it, in milliseconds, 0 for none. */
    public long afterFailure() {
        redirect = null;
        redirects = 0;
        index++;
        if (index < addresses.size()) {
            return 0;
        }
        index = 0;
        rounds++;
        final long delayMs = options.ms(Option.RECONNECT_DELAY_MS) << Math.min(DOUBLED_MAX, rounds - 1);
        return Math.min(delayMs, options.ms(Option.RECONNECT_DELAY_MAX_MS));
    }

    /**
     * The same for a line that was open: after the first loss the addresses are tried from the first, at once.
     *
     * @param worked a message went over it
     */
    public long afterLoss(final boolean worked, final long nowMs) {
        final boolean good = worked || nowMs - openedAtMs >= options.ms(Option.RECONNECT_DELAY_MAX_MS);
        if (idle && !good) {
            return afterFailure();
        }
        idle = !good;
        redirect = null;
        redirects = 0;
        index = 0;
        return 0;
    }

    /** The server sends us elsewhere: that is next. Otherwise says why not. */
    public @Nullable WireException redirected(final Redirect to) {
        final int port = to.port() == 0 ? next().address().port() : to.port();
        if (redirects >= REDIRECTS_MAX) {
            return new WireException(
                    WireException.CONNECTION_LOST,
                    "the servers send this client around: after " + REDIRECTS_MAX + " of them, on to " + to);
        }
        if (!mayGo(to)) {
            return new WireException(
                    Redirect.OF_CONNECTION,
                    "the server sends its clients to " + to + ", which is not followed: "
                            + "without a certificate that is verified, name the host in the option redirectHosts");
        }
        if (!options.tls() && to.scheme().toLowerCase(Locale.ROOT).endsWith("s")) {
            return new WireException(
                    Redirect.OF_CONNECTION,
                    "the server sends its clients to " + to + " with TLS, which takes a URL of avocets://");
        }
        redirects++;
        redirect = new Hop(new Address(to.host(), port), to.name());
        return null;
    }

    /**
     * No server gets our name and password that we neither know nor can verify. TLS stays, as it is the connection's.
     */
    private boolean mayGo(final Redirect to) {
        return options.tls() && options.flag(Option.VERIFY_HOST)
                || addresses.stream().anyMatch(address -> address.host().equalsIgnoreCase(to.host()))
                || options.list(Option.REDIRECT_HOSTS).stream().anyMatch(pattern -> matches(pattern, to.host()));
    }

    private static boolean matches(final String pattern, final String host) {
        return pattern.equals("*")
                || pattern.equalsIgnoreCase(host)
                || pattern.startsWith("*.")
                        && host.toLowerCase(Locale.ROOT)
                                .endsWith(pattern.substring(1).toLowerCase(Locale.ROOT));
    }
}
