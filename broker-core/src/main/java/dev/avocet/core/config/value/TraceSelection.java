package dev.avocet.core.config.value;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which connections are traced: those that fit an endpoint, a client identifier and a client address, of each of which
 * several may be named. Immutable.
 */
public final class TraceSelection {
    /** No connection. */
    public static final TraceSelection NONE = new TraceSelection(List.of(), List.of(), List.of());

    private static final String ADVICE =
            "; write endpoint=NAME, clientid=ID or clientaddr=ADDRESS, with commas between";

    private final List<String> endpoints;
    private final List<String> clientIds;
    private final List<AddressRanges> addresses;

    private TraceSelection(List<String> endpoints, List<String> clientIds, List<AddressRanges> addresses) {
        this.endpoints = List.copyOf(endpoints);
        this.clientIds = List.copyOf(clientIds);
        this.addresses = List.copyOf(addresses);
    }

    /**
     * A selection such as {@code endpoint=field,clientid=phone*,clientaddr=10.0.0.1-10.0.0.9}; an empty text selects
     * nothing.
     */
    public static TraceSelection parse(String text) throws InvalidValueException {
        List<String> endpoints = new ArrayList<>();
        List<String> clientIds = new ArrayList<>();
        List<AddressRanges> addresses = new ArrayList<>();
        for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = each.indexOf('=');
            String value = each.substring(equals + 1).strip();
            if (equals < 0 || value.isEmpty()) {
                throw new InvalidValueException("'" + each + "' selects nothing" + ADVICE);
            }
            switch (each.substring(0, equals).strip().toLowerCase(Locale.ROOT)) {
                case "endpoint" -> endpoints.add(value);
                case "clientid" -> clientIds.add(value);
                case "clientaddr" -> addresses.add(AddressRanges.parse(value));
                default ->
                    throw new InvalidValueException(
                            "'" + each.substring(0, equals) + "' is nothing to select by" + ADVICE);
            }
        }
        return new TraceSelection(endpoints, clientIds, addresses);
    }

    /** A selection that was valid when it was stored. */
    public static TraceSelection ofStored(String text) {
        try {
            return parse(text);
        } catch (InvalidValueException e) {
            return NONE;
        }
    }

    /** Whether it selects a connection. */
    public boolean matches(String endpoint, String clientId, @Nullable InetAddress address) {
        return !(endpoints.isEmpty() && clientIds.isEmpty() && addresses.isEmpty())
                && fits(endpoints, endpoint)
                && fits(clientIds, clientId)
                && (addresses.isEmpty()
                        || (address != null && addresses.stream().anyMatch(range -> range.contains(address))));
    }

    private static boolean fits(List<String> patterns, String text) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> fits(pattern, text));
    }

    private static boolean fits(String pattern, String text) {
        return pattern.endsWith("*")
                ? text.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(text);
    }
}
