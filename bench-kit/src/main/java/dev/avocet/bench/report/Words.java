package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** Figures as a page shows them. */
final class Words {
    private static final double US_NS = 1e3;
    private static final double MS_NS = 1e6;
    private static final double SECOND_NS = 1e9;
    private static final double FEW = 10;
    private static final double MANY = 100;
    private static final double SMALL = 0.005;

    private static final String OPTIONS = "options";
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", ROOT).withZone(ZoneOffset.UTC);

    private Words() {}

    static String count(long count) {
        return String.format(ROOT, "%,d", count);
    }

    /** With a decimal or two where they mean something. */
    static String rate(double value) {
        boolean isWhole = Math.abs(value) >= MANY || Math.abs(value - Math.rint(value)) < SMALL;
        return String.format(ROOT, isWhole ? "%,.0f" : "%.2f", value);
    }

    /** In three digits and the unit that leaves those. */
    static String time(double ns) {
        if (ns < MS_NS) {
            return inUnit(ns / US_NS, "µs");
        }
        return ns < SECOND_NS ? inUnit(ns / MS_NS, "ms") : inUnit(ns / SECOND_NS, "s");
    }

    /** What begins a line. */
    static String title(String name) {
        return name.isEmpty() ? name : name.substring(0, 1).toUpperCase(ROOT) + name.substring(1);
    }

    static String percent(double share) {
        return String.format(ROOT, "%.0f %%", share * MANY);
    }

    /** What a run is called; one that follows no named workload is made of its options. */
    static String workload(RunResult result) {
        return OPTIONS.equals(result.name()) ? result.tool() + ", by its options" : result.name();
    }

    /** A time of day, to the second; what is none stays as it is. */
    static String moment(String iso) {
        try {
            return MOMENT.format(Instant.parse(iso)) + " UTC";
        } catch (DateTimeParseException e) {
            return iso;
        }
    }

    private static String inUnit(double value, String unit) {
        String format = value == 0 || value >= MANY ? "%.0f %s" : value >= FEW ? "%.1f %s" : "%.2f %s";
        return String.format(ROOT, format, value, unit);
    }
}
