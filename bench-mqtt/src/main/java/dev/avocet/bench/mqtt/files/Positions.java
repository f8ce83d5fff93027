package dev.avocet.bench.mqtt.files;

import java.util.Arrays;
import java.util.List;

/**
 * Which clients of a list take part, by their positions in it, of which the first is 1.
 *
 * @param ranges none for all of them
 */
public record Positions(List<Range> ranges) {
    public static final Positions ALL = new Positions(List.of());

    private static final String OPTION = "--client-range";
    private static final String FORM = "\\d{1,9}(-\\d{1,9})?";

    /** From the first to the last of them, both included. */
    public record Range(int first, int last) {}

    /**
     * Reads them.
     *
     * @param text such as {@code 1-1000,5001-6000}
     * @throws IllegalArgumentException when it is not that; says why
     */
    public static Positions of(String text) {
        return new Positions(
                Arrays.stream(text.split(",", -1)).map(Positions::range).toList());
    }

    private static Range range(String text) {
        if (!text.matches(FORM)) {
            throw new IllegalArgumentException(
                    OPTION + " is FIRST-LAST, several with commas between, such as 1-1000,5001-6000, not " + text);
        }
        String[] ends = text.split("-", 2);
        Range range = new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
        if (range.first == 0) {
            throw new IllegalArgumentException(OPTION + " " + text + ": the first client of a list is 1, not 0");
        }
        if (range.first > range.last) {
            throw new IllegalArgumentException(OPTION + " " + text + ": the first is behind the last");
        }
        return range;
    }

    /** @param index from 0 */
    public boolean has(int index) {
        return ranges.isEmpty() || ranges.stream().anyMatch(range -> range.first <= index + 1 && index < range.last);
    }

    /** @throws IllegalArgumentException when a list of this length does not have them all */
    public Positions within(int clients) {
        for (Range range : ranges) {
            if (range.last > clients) {
                throw new IllegalArgumentException(
                        OPTION + " " + range.first + "-" + range.last + ": the list has " + clients + " clients");
            }
        }
        return this;
    }
}
