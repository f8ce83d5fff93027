package dev.avocet.core.config.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The address of a directory.
 *
 * @param tls whether the connection is encrypted from its first byte, {@code ldaps}
 * @param server where it is
 */
public record DirectoryUrl(boolean tls, ServerAddress server) {
    private static final String PLAIN = "ldap://";
    private static final String TLS = "ldaps://";
    private static final int PLAIN_PORT = 389;
    private static final int TLS_PORT = 636;
    private static final int MAX_SERVERS = 10;

    /** Reads one or several addresses with blanks or commas between, in the order in which they are tried. */
    public static List<DirectoryUrl> parseAll(String text) throws InvalidValueException {
        List<DirectoryUrl> urls = new ArrayList<>();
        for (String part : text.strip().split("[,\\s]+", -1)) {
            urls.add(parse(part));
        }
        if (urls.size() > MAX_SERVERS) {
            throw new InvalidValueException("names " + urls.size() + " servers; name at most " + MAX_SERVERS);
        }
        return List.copyOf(urls);
    }

    private static DirectoryUrl parse(String text) throws InvalidValueException {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean tls = lower.startsWith(TLS);
        if (!tls && !lower.startsWith(PLAIN)) {
            throw invalid(text);
        }
        String rest = text.substring(tls ? TLS.length() : PLAIN.length());
        String place = rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
        boolean hasPort = place.lastIndexOf(':') > place.lastIndexOf(']');
        try {
            return new DirectoryUrl(
                    tls, ServerAddress.parse(hasPort ? place : place + ":" + (tls ? TLS_PORT : PLAIN_PORT)));
        } catch (InvalidValueException e) {
            throw invalid(text);
        }
    }

    private static InvalidValueException invalid(String text) {
        return new InvalidValueException("'" + text
                + "' is not the address of a directory, such as ldap://directory.example.com:389 or"
                + " ldaps://directory.example.com; base and filter are properties of their own");
    }

    @Override
    public String toString() {
        return (tls ? TLS : PLAIN) + server;
    }
}
