package dev.avocet.core.config.value;

import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;

/** How much is traced of each component: 0 nothing, 9 everything. Immutable. */
public final class TraceLevels {
    /** Nothing of anything. */
    public static final TraceLevels NONE = new TraceLevels(0, Map.of());

    private static final Pattern FORMAT = Pattern.compile("[0-9](,([A-Za-z]{1,32}:[0-9]|-[A-Za-z]{1,32}))*");

    private final int level;
    private final Map<TraceComponent, Integer> own;

    private TraceLevels(int level, Map<TraceComponent, Integer> own) {
        this.level = level;
        this.own = Map.copyOf(own);
    }

    /** Levels such as {@code 5,mqtt:9,-tcp}; an empty text is nothing. */
    public static TraceLevels parse(String text) throws InvalidValueException {
        if (text.isEmpty()) {
            return NONE;
        }
        if (!FORMAT.matcher(text).matches()) {
            throw new InvalidValueException(
                    "'" + text + "' is not a level from 0 to 9, optionally with components such as in 5,mqtt:9,-tcp");
        }
        Map<TraceComponent, Integer> own = new EnumMap<>(TraceComponent.class);
        for (int at = 2; at < text.length(); ) {
            int comma = text.indexOf(',', at);
            int end = comma < 0 ? text.length() : comma;
            String each = text.substring(at, end);
            boolean off = each.charAt(0) == '-';
            String name = off ? each.substring(1) : each.substring(0, each.length() - 2);
            own.put(component(name), off ? 0 : each.charAt(each.length() - 1) - '0');
            at = end + 1;
        }
        return new TraceLevels(text.charAt(0) - '0', own);
    }

    /** Levels that were valid when they were stored; a component that is not known any more is nothing. */
    public static TraceLevels ofStored(String text) {
        try {
            return parse(text);
        } catch (InvalidValueException e) {
            return NONE;
        }
    }

    private static TraceComponent component(String name) throws InvalidValueException {
        return TraceComponent.named(name)
                .orElseThrow(() -> new InvalidValueException(
                        "'" + name + "' is not a component; there are " + TraceComponent.names()));
    }

    /** How much is traced of a component. */
    public int of(TraceComponent component) {
        return own.getOrDefault(component, level);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TraceLevels that && level == that.level && own.equals(that.own);
    }

    @Override
    public int hashCode() {
        return 31 * level + own.hashCode();
    }
}
