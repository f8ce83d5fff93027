package dev.avocet.core.config.value;

import io.netty.util.NetUtil;

/**
 * A server that clients are told to use.
 *
 * @param host a name or an IP address, one of version 6 without brackets
 * @param port 1 to 65535
 */
public record ServerAddress(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORT_DIGITS = 5;

    /** Reads {@code host:port}; an IPv6 address stands in brackets. */
    public static ServerAddress parse(String text) throws InvalidValueException {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        int port = colon < 0 ? 0 : port(text.substring(colon + 1));
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String bare = bracketed ? host.substring(1, host.length() - 1) : host;
        boolean valid = bracketed ? NetUtil.isValidIpV6Address(bare) : isName(host);
        if (!valid || port < 1 || port > MAX_PORT) {
            throw new InvalidValueException("'" + text
                    + "' is not a host name or IP address with a port, such as other.example.com:1883 or [::1]:1883");
        }
        return new ServerAddress(bare, port);
    }

    private static boolean isName(String host) {
        return !host.isEmpty()
                && host.chars()
                        .allMatch(c -> c >= 'a' && c <= 'z'
                                || c >= 'A' && c <= 'Z'
                                || c >= '0' && c <= '9'
                                || c == '-'
                                || c == '.'
                                || c == '_');
    }

    private static int port(String digits) {
        boolean valid = !digits.isEmpty()
                && digits.length() <= MAX_PORT_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return valid ? Integer.parseInt(digits) : 0;
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
