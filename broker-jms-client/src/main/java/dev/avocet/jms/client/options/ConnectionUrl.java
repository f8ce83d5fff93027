package dev.avocet.jms.client.options;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code avocet://host1:1883,host2:1883?clientMessageCache=100000}; {@code avocets://} for TLS. Several addresses may
 * stand in parentheses, as other clients have it: {@code avocet:(host1:1883,host2:1883)}. A host without a port
 * means the port that our broker listens on as it is shipped (1883), or as {@code broker-admin init} sets it up (TLS,
 * 8883); those that AMQP has are 5672 and 5671.
 */
public final class ConnectionUrl {
    private static final String PLAIN = "avocet:";
    private static final String TLS = "avocets:";
    private static final String SLASHES = "//";
    private static final int PORT = 1883;
    private static final int TLS_PORT = 8883;

    private ConnectionUrl() {}

    /**
     * @throws IllegalArgumentException saying which part is wrong
     */
    public static Options parse(final String url) {
        final boolean tls = url.startsWith(TLS);
        final String rest = tls || url.startsWith(PLAIN) ? url.substring((tls ? TLS : PLAIN).length()) : "";
        if (!rest.startsWith(SLASHES) && !rest.startsWith("(")) {
            throw new IllegalArgumentException("the URL must begin with " + PLAIN + SLASHES + " or " + TLS + SLASHES
                    + ", or with " + PLAIN + "( or " + TLS + "( where it names several hosts: " + withoutQuery(url));
        }
        final int mark = rest.indexOf('?');
        final String hosts = mark < 0 ? rest : rest.substring(0, mark);
        final Options options = new Options(addresses(list(hosts), tls ? TLS_PORT : PORT), tls);
        if (mark >= 0) {
            parseQuery(rest.substring(mark + 1), options);
        }
        return options;
    }

    /** The addresses with commas between. */
    private static String list(final String hosts) {
        if (hosts.startsWith(SLASHES)) {
            return hosts.substring(SLASHES.length());
        }
        if (!hosts.endsWith(")")) {
            throw new IllegalArgumentException("the URL has no closing parenthesis behind its hosts: " + hosts);
        }
        return hosts.substring(1, hosts.length() - 1);
    }

    private static void parseQuery(final String query, final Options options) {
        for (final String pair : query.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            final int equals = pair.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "the option " + pair + " of the URL has no value; write " + pair + "=...");
            }
            final String name = URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8);
            options.set(Option.of(name), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
    }

    private static List<Address> addresses(final String hosts, final int port) {
        final List<Address> addresses = new ArrayList<>();
        for (final String host : hosts.split(",", -1)) {
            final String stripped = host.strip().replaceFirst("/+$", "");
            if (!stripped.isEmpty()) {
                addresses.add(address(stripped, port));
            }
        }
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("the URL names no host");
        }
        return addresses;
    }

    private static Address address(final String text, final int standardPort) {
        final int bracket = text.lastIndexOf(']');
        final int colon = text.lastIndexOf(':');
        if (colon == 0 || text.startsWith("[]")) {
            throw new IllegalArgumentException("the URL names no host before " + text);
        }
        if (colon <= bracket) {
            return new Address(unbracketed(text), standardPort);
        }
        try {
            final int port = Integer.parseInt(text.substring(colon + 1));
            if (port > 0 && port <= 0xffff) {
                return new Address(unbracketed(text.substring(0, colon)), port);
            }
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException("the port of " + text + " is not a number", e);
        }
        throw new IllegalArgumentException("the port of " + text + " is not from 1 to 65535");
    }

    private static String unbracketed(final String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    /** The URL that means the same; with the secrets in it. */
    public static String format(final Options options) {
        final String hosts = options.addresses().stream()
                .map(address -> (address.host().contains(":") ? "[" + address.host() + "]" : address.host()) + ":"
                        + address.port())
                .collect(Collectors.joining(","));
        final String query =
                options.changed().entrySet().stream().map(ConnectionUrl::pair).collect(Collectors.joining("&"));
        return (options.tls() ? TLS : PLAIN) + SLASHES + hosts + (query.isEmpty() ? "" : "?" + query);
    }

    private static String pair(final Map.Entry<Option, String> value) {
        return value.getKey().key() + "=" + URLEncoder.encode(value.getValue(), StandardCharsets.UTF_8);
    }

    private static String withoutQuery(final String url) {
        final int mark = url.indexOf('?');
        return mark < 0 ? url : url.substring(0, mark);
    }
}
