package dev.avocet.core.config.value;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A size with a unit, such as {@code 4096KB} or {@code 4MB}. Records hold bytes in a long.
 *
 * @param minBytes smallest
 * @param maxBytes largest
 * @param orUnlimited whether the word {@code unlimited} is a value too; it is {@link NumberValue#UNLIMITED}
 */
public record SizeValue(long minBytes, long maxBytes, boolean orUnlimited) implements ValueType {
    private static final long KB = 1024;
    private static final Map<String, Long> UNITS = Map.of("KB", KB, "MB", KB * KB, "GB", KB * KB * KB);
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12}) ?(KB|MB|GB)");

    @Override
    public Object read(Object plain) throws InvalidValueException {
        String text = plain instanceof String given ? given.toUpperCase(Locale.ROOT) : "";
        if (orUnlimited && text.equalsIgnoreCase(NumberValue.UNLIMITED_WORD)) {
            return NumberValue.UNLIMITED;
        }
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new InvalidValueException(ValueType.describe(plain)
                    + " is not a size; write a whole number and its unit (KB, MB or GB), such as \"4096KB\"");
        }
        long number = Long.parseLong(size.group(1));
        long unit = UNITS.getOrDefault(size.group(2), KB);
        if (number > maxBytes / unit || number * unit < minBytes) {
            throw new InvalidValueException(plain + " is outside " + describe());
        }
        return number * unit;
    }

    @Override
    public Object plain(Object value) {
        long bytes = (Long) value;
        return bytes == NumberValue.UNLIMITED ? NumberValue.UNLIMITED_WORD : bytes / KB + "KB";
    }

    @Override
    public Object empty() {
        throw new IllegalStateException("a size needs a default");
    }

    @Override
    public String describe() {
        return minBytes / KB + "KB-" + maxBytes / KB + "KB" + (orUnlimited ? " or " + NumberValue.UNLIMITED_WORD : "");
    }
}
