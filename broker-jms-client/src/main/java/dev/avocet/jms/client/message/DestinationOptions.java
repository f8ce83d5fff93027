package dev.avocet.jms.client.message;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is said of one destination instead of the connection's options.
 *
 * @param clientMessageCache how many messages a consumer holds ready; null: as the connection has it
 * @param disableAck consumers take messages settled, and non-persistent sends go out settled; null: as the connection
 *     has it
 */
public record DestinationOptions(
        @Nullable Integer clientMessageCache, @Nullable Boolean disableAck) implements Serializable {
    /** As the connection has it. */
    public static final DestinationOptions NONE = new DestinationOptions(null, null);

    @Serial
    private static final long serialVersionUID = 1L;

    private static final String CACHE = "clientMessageCache";
    private static final String DISABLE = "disableACK";

    /**
     * Reads {@code clientMessageCache=0&disableACK=true}; letters' case of the names does not matter.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    static DestinationOptions parse(final String query) {
        Integer cache = null;
        Boolean disable = null;
        for (final String pair : query.split("&", -1)) {
            final int equals = pair.indexOf('=');
            final String name = equals < 0 ? pair : pair.substring(0, equals);
            final String value = equals < 0 ? "" : pair.substring(equals + 1);
            if (name.equalsIgnoreCase(CACHE)) {
                cache = number(value);
            } else if (name.equalsIgnoreCase(DISABLE)) {
                disable = flag(value);
            } else {
                throw new IllegalArgumentException(
                        "a destination has no option '" + name + "'; there are " + CACHE + " and " + DISABLE);
            }
        }
        return new DestinationOptions(cache, disable);
    }

    private static int number(final String value) {
        try {
            final int number = Integer.parseInt(value);
            if (number >= 0) {
                return number;
            }
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(CACHE + " cannot be '" + value + "'; it is a whole number from 0 on", e);
        }
        throw new IllegalArgumentException(CACHE + " cannot be " + value + "; it is a whole number from 0 on");
    }

    private static boolean flag(final String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(DISABLE + " cannot be '" + value + "'; it is true or false");
        };
    }

    /** What {@link #parse} reads; empty for {@link #NONE}. */
    String query() {
        final List<String> pairs = new ArrayList<>();
        if (clientMessageCache != null) {
            pairs.add(CACHE + "=" + clientMessageCache);
        }
        if (disableAck != null) {
            pairs.add(DISABLE + "=" + disableAck);
        }
        return String.join("&", pairs);
    }
}
