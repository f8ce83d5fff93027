package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The short options of the reference harness that are not names of options here: they are written as ours before
 * anything is parsed.
 */
final class OldOptions {
    private static final Map<String, String> KINDS = Map.of("t", "topic", "q", "queue", "ss", "shared");

    /** Of its mask of latencies: messages, their printing, and connections are in every result. */
    private static final int ALWAYS_MEASURED = 0x01 | 0x20 | 0x80;

    /** Of commit, receive and send, and the creation of sessions. */
    private static final int CALLS = 0x04 | 0x08 | 0x10 | 0x40;

    /** The least and the most of each destination. */
    private static final int EACH_DESTINATION = 0x02;

    private OldOptions() {}

    /** @throws IllegalArgumentException for what has no counterpart here */
    static String[] translated(String... arguments) {
        List<String> translated = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            String[] parts = arguments[i].split("=", 2);
            boolean hasValue = parts.length == 2;
            switch (parts[0]) {
                // It always waits until everybody is connected.
                case "-wr" -> {}
                case "-anon" -> translated.add("--anonymous");
                case "-mt", "-as", "-t", "-T", "-u", "-m" -> {
                    if (!hasValue && i + 1 == arguments.length) {
                        throw new IllegalArgumentException(parts[0] + " wants a value behind it");
                    }
                    translated.addAll(translated(parts[0], hasValue ? parts[1] : arguments[++i]));
                }
                default -> translated.add(arguments[i]);
            }
        }
        return translated.toArray(String[]::new);
    }

    private static List<String> translated(String option, String value) {
        return switch (option) {
            case "-mt" -> List.of("--kind=" + kind(value));
            case "-as" -> List.of("--work-us=" + workUs(value));
            case "-t" -> value.equals("-1") ? List.of("--rate=max") : List.of();
            case "-T" -> latencies(value);
            case "-m" -> processor(value);
            // Units are chosen by the size of the figure.
            default -> List.of();
        };
    }

    private static String kind(String value) {
        String kind = KINDS.get(value);
        if (kind == null) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "-mt '%s': t (topics), q (queues) or ss (shared subscriptions)", value));
        }
        return kind;
    }

    /** What was positive there counted loops, whose length depends on the machine. */
    private static long workUs(String value) {
        long number = number("-as", value);
        if (number > 0) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "-as %s counts loops; say for how many microseconds: -as -%s, or --work-us %s",
                    value,
                    value,
                    value));
        }
        return -number;
    }

    private static List<String> processor(String value) {
        if (number("-m", value) != -1) {
            throw new IllegalArgumentException("-m " + value + ": the processor has to be -1; use taskset");
        }
        return List.of();
    }

    private static List<String> latencies(String value) {
        long mask = number("-T", value);
        long unknown = mask & ~(ALWAYS_MEASURED | CALLS | EACH_DESTINATION);
        if (unknown != 0) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "-T %s: 0x%x is not measured; 0x1 (messages), 0x2 (each destination), 0x4 (commit), 0x8 (receive), 0x10 (send),"
                            + " 0x20 (connections), 0x40 (sessions) and 0x80 are",
                    value,
                    unknown));
        }
        List<String> options = new ArrayList<>();
        if ((mask & EACH_DESTINATION) != 0) {
            options.add("--per-destination");
        }
        if ((mask & CALLS) != 0) {
            options.add("--time-calls");
        }
        return options;
    }

    private static long number(String option, String value) {
        try {
            return Long.decode(value);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(String.format(ROOT, "%s '%s' is not a number", option, value));
        }
    }
}
