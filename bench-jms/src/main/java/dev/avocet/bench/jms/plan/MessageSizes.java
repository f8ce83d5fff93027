package dev.avocet.bench.jms.plan;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.MessageHead;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The sizes of payloads, used in turn.
 *
 * @param bytes one, or from the smallest to the largest, each twice the one before
 */
public record MessageSizes(List<Integer> bytes) {
    static final int LARGEST_BYTES = 256 * 1024 * 1024;
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})\\s*(K|KB|M|MB|B|)");

    public MessageSizes {
        bytes = List.copyOf(bytes);
    }

    /** From {@code 256}, {@code 2K} or {@code 256-200K}. */
    public static MessageSizes of(String text) {
        String[] parts = text.split("-", 2);
        int smallest = parse(parts[0], text);
        int largest = parse(parts[parts.length - 1], text);
        if (smallest > largest) {
            throw new IllegalArgumentException(String.format(ROOT, "size '%s': the smaller one comes first", text));
        }
        return new MessageSizes(IntStream.concat(
                        IntStream.iterate(smallest, size -> size < largest, size -> size * 2), IntStream.of(largest))
                .boxed()
                .toList());
    }

    public int largest() {
        return bytes.get(bytes.size() - 1);
    }

    private static int parse(String part, String text) {
        Matcher matcher = SIZE.matcher(part.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "size '%s': bytes, such as 256, 2K or 256-200K", text));
        }
        long unit = matcher.group(2).startsWith("K") ? 1024 : matcher.group(2).startsWith("M") ? 1024 * 1024 : 1;
        long size = Long.parseLong(matcher.group(1)) * unit;
        if (size < MessageHead.SIZE_BYTES || size > LARGEST_BYTES) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "size '%s': from %d bytes, which the checks need, to %d",
                    text,
                    MessageHead.SIZE_BYTES,
                    LARGEST_BYTES));
        }
        return (int) size;
    }
}
