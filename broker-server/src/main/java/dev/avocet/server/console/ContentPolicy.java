package dev.avocet.server.console;

import dev.avocet.server.broker.endpoint.WebSocketEndpoint;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a page of the console may load, as browsers are told. No script, style or picture but the broker's own files, no
 * code within a page, and requests to this broker alone. What the pages show can therefore do nothing, whatever a
 * client has written into it. Immutable.
 *
 * @param text the header {@code Content-Security-Policy}
 * @param more the addresses that are there besides the page's own; empty for none
 */
record ContentPolicy(String text, String more) {
    /** Nothing but the address of the page. */
    static final ContentPolicy OWN = of("");

    /** A host as a policy can name it: browsers take names and IPv4 addresses, and no IPv6 addresses. */
    private static final Pattern HOST = Pattern.compile("([A-Za-z0-9][A-Za-z0-9.-]{0,252})(:[0-9]{1,5})?");

    /**
     * Besides the address of the page, the endpoints at the same host, each with its scheme and port alone.
     *
     * @param host the header {@code Host} of the request; what is no name and no IPv4 address adds nothing
     */
    static ContentPolicy connectingTo(List<WebSocketEndpoint> endpoints, @Nullable String host) {
        var named = HOST.matcher(host == null ? "" : host);
        if (!named.matches()) {
            return OWN;
        }
        String name = named.group(1);
        return of(endpoints.stream()
                .map(endpoint -> " " + endpoint.scheme() + "://" + name + ":"
                        + endpoint.address().getPort())
                .distinct()
                .collect(Collectors.joining()));
    }

    /** The tag of a file that is sent with this policy. */
    String tag(String ofFile) {
        return more.isEmpty()
                ? ofFile
                : ofFile.substring(0, ofFile.length() - 1) + "-" + Integer.toHexString(more.hashCode()) + '"';
    }

    private static ContentPolicy of(String more) {
        return new ContentPolicy(
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"
                        + more + "; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
                more);
    }
}
