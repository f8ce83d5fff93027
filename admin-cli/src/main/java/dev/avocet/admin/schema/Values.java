package dev.avocet.admin.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Values of properties between command lines, documents and the broker. Whether they are valid is for the broker to
 * say.
 */
public final class Values {
    /** What is shown in place of a password. */
    public static final String HIDDEN = "********";

    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12}) ?(KB|MB|GB)");
    private static final Map<String, Long> KB_IN = Map.of("KB", 1L, "MB", 1L << 10, "GB", 1L << 20);

    private Values() {}

    /** The JSON value for a text. */
    public static Object ofText(PropertySchema property, String text) {
        if (property.kind() == Kind.NUMBER && WHOLE.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        boolean isTruth = text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
        return property.kind() == Kind.BOOLEAN && isTruth ? (Object) Boolean.valueOf(text) : text;
    }

    /** A value for people: lists with commas. */
    public static String text(@Nullable Object value) {
        if (value instanceof List<?> several) {
            return several.stream().map(Values::text).collect(Collectors.joining(","));
        }
        return value == null ? "" : value.toString();
    }

    /** A text that is the same for two values that mean the same. */
    public static String canonical(PropertySchema property, @Nullable Object value) {
        String text = text(value).strip();
        if (text.isEmpty()) {
            text = property.defaultText();
        }
        return switch (property.kind()) {
            case SIZE -> size(text);
            case CHOICES -> choices(property, text);
            case REFERENCES -> list(text).collect(Collectors.joining(","));
            case BOOLEAN -> text.isEmpty() ? "false" : text.toLowerCase(Locale.ROOT);
            case NUMBER -> text.toLowerCase(Locale.ROOT);
            case CHOICE, REFERENCE, SECRET, TEXT -> text;
        };
    }

    private static String size(String text) {
        Matcher size = SIZE.matcher(text.toUpperCase(Locale.ROOT));
        return size.matches()
                ? Long.parseLong(size.group(1)) * KB_IN.getOrDefault(size.group(2), 1L) + "KB"
                : text.toLowerCase(Locale.ROOT);
    }

    private static String choices(PropertySchema property, String text) {
        List<String> chosen = list(text).toList();
        List<String> all = property.words();
        return chosen.contains("All")
                ? String.join(",", all)
                : chosen.stream()
                        .sorted((left, right) -> Integer.compare(all.indexOf(left), all.indexOf(right)))
                        .collect(Collectors.joining(","));
    }

    private static Stream<String> list(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).filter(word -> !word.isEmpty());
    }
}
