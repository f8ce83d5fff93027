package dev.avocet.jms.client.options;

import dev.avocet.jms.client.message.ConvertMessageType;
import dev.avocet.jms.client.message.TrustedClasses;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Addresses and values. A factory changes its own; a connection has a copy. Not for several threads at once while it is
 * changed.
 */
public final class Options {
    private final EnumMap<Option, String> values = new EnumMap<>(Option.class);
    private List<Address> addresses;
    private boolean tls;

    public Options(final List<Address> addresses, final boolean tls) {
        this.addresses = List.copyOf(addresses);
        this.tls = tls;
    }

    public Options copy() {
        final Options copy = new Options(addresses, tls);
        copy.values.putAll(values);
        return copy;
    }

    public List<Address> addresses() {
        return addresses;
    }

    public boolean tls() {
        return tls;
    }

    /** Takes addresses and TLS from {@code other}, and the values that {@code other} sets. */
    public void take(final Options other) {
        addresses = other.addresses;
        tls = other.tls;
        values.putAll(other.values);
    }

    /** Those that differ from the default. */
    public Map<Option, String> changed() {
        return new EnumMap<>(values);
    }

    public String text(final Option option) {
        return values.getOrDefault(option, option.standard());
    }

    public boolean flag(final Option option) {
        return Boolean.parseBoolean(text(option));
    }

    public int count(final Option option) {
        return Integer.parseInt(text(option));
    }

    public long ms(final Option option) {
        return Long.parseLong(text(option));
    }

    /** The parts of a text with commas. */
    public List<String> list(final Option option) {
        return Arrays.stream(text(option).split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    public ConvertMessageType convertMessageType() {
        return ConvertMessageType.valueOf(text(Option.CONVERT_MESSAGE_TYPE).toUpperCase(Locale.ROOT));
    }

    public TrustedClasses trustedClasses() {
        return new TrustedClasses(list(Option.TRUSTED_CLASSES));
    }

    /**
     * Sets a value in its form as text.
     *
     * @throws IllegalArgumentException when the option has no such value
     */
    public void set(final Option option, final String value) {
        values.put(option, checked(option, value.strip()));
    }

    private static String checked(final Option option, final String value) {
        return switch (option.kind()) {
            case FLAG -> flag(option, value);
            case COUNT, MS -> String.valueOf(number(option, value));
            case BYTES -> String.valueOf(bytes(option, value));
            case TEXT, SECRET -> text(option, value);
        };
    }

    private static String text(final Option option, final String value) {
        if (option == Option.CONVERT_MESSAGE_TYPE
                && Arrays.stream(ConvertMessageType.values())
                        .noneMatch(type -> type.name().equalsIgnoreCase(value))) {
            throw refused(option, value, "automatic, bytes or text");
        }
        return value;
    }

    private static String flag(final Option option, final String value) {
        final String lower = value.toLowerCase(Locale.ROOT);
        if (!lower.equals("true") && !lower.equals("false")) {
            throw refused(option, value, "true or false");
        }
        return lower;
    }

    private static long number(final Option option, final String value) {
        try {
            final long number = Long.parseLong(value);
            if (number >= 0 && number <= Integer.MAX_VALUE) {
                return number;
            }
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(
                    refused(option, value, "a whole number").getMessage(), e);
        }
        throw refused(option, value, "a whole number from 0 to " + Integer.MAX_VALUE);
    }

    private static long bytes(final Option option, final String value) {
        final String upper = value.toUpperCase(Locale.ROOT);
        if (upper.endsWith("K")) {
            return Math.multiplyExact(number(option, upper.substring(0, upper.length() - 1)), 1024L);
        }
        if (upper.endsWith("M")) {
            return Math.multiplyExact(number(option, upper.substring(0, upper.length() - 1)), 1024L * 1024);
        }
        return number(option, upper);
    }

    private static IllegalArgumentException refused(final Option option, final String value, final String wanted) {
        return new IllegalArgumentException("the option " + option.key() + " cannot be "
                + (option.kind() == Option.Kind.SECRET ? "that" : value) + "; it is " + wanted);
    }
}
