package dev.avocet.core.config.value;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Client addresses: single ones and ranges, such as {@code 10.0.0.1,10.1.0.0-10.1.255.255,[::1]}. Immutable; any
 * thread.
 */
public final class AddressRanges {
    /** Most ranges in one list. */
    public static final int MAX_RANGES = 100;

    private static final Pattern RANGE =
            Pattern.compile("\\[([^]]+)](?:-\\[([^]]+)])?|([^-\\[\\]]+)(?:-([^-\\[\\]]+))?");

    private final List<AddressRange> ranges;

    private AddressRanges(List<AddressRange> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    /** Reads a list; no name service is asked. */
    public static AddressRanges parse(String text) throws InvalidValueException {
        List<AddressRange> ranges = new ArrayList<>();
        for (String range : text.split(",", -1)) {
            ranges.add(range(range.strip()));
        }
        if (ranges.size() > MAX_RANGES) {
            throw new InvalidValueException("holds " + ranges.size() + " addresses; " + MAX_RANGES + " are the most");
        }
        return new AddressRanges(ranges);
    }

    /** Whether an address is one of these; IPv4 addresses in IPv6 form count as IPv4. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ranges.stream().anyMatch(range -> range.contains(bytes));
    }

    private static AddressRange range(String text) throws InvalidValueException {
        Matcher matcher = RANGE.matcher(text);
        if (!matcher.matches()) {
            throw notAnAddress(text);
        }
        boolean six = matcher.group(1) != null;
        byte[] low = address(text, matcher.group(six ? 1 : 3), six);
        String end = matcher.group(six ? 2 : 4);
        byte[] high = end == null ? low : address(text, end, six);
        if (low.length != high.length || Arrays.compareUnsigned(low, high) > 0) {
            throw new InvalidValueException("'" + text + "' ends before it begins; exchange its two addresses");
        }
        return new AddressRange(low, high);
    }

    private static byte[] address(String range, String text, boolean six) throws InvalidValueException {
        String address = text.strip();
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
        if (bytes == null || six != (address.indexOf(':') >= 0)) {
            throw notAnAddress(range);
        }
        return bytes;
    }

    private static InvalidValueException notAnAddress(String text) {
        return new InvalidValueException("'" + text + "' is neither an IP address nor a range of them;"
                + " write 10.0.0.1, 10.0.0.1-10.0.0.9, [2001:db8::1] or [2001:db8::1]-[2001:db8::9]");
    }

    private static final class AddressRange {
        private final byte[] low;
        private final byte[] high;

        AddressRange(byte[] low, byte[] high) {
            this.low = low;
            this.high = high;
        }

        boolean contains(byte[] address) {
            return address.length == low.length
                    && Arrays.compareUnsigned(low, address) <= 0
                    && Arrays.compareUnsigned(address, high) <= 0;
        }
    }
}
