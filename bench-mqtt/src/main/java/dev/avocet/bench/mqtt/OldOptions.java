package dev.avocet.bench.mqtt;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The short options that the reference harness had in 2015, so that its scripts need little change:
 * {@code -tx 0:0:/p/t:1:1000:2 -rx 0:1:/p/#:1:5:2 -np 10 -r 100000 -s 32-32 -wr -rrs}.
 */
final class OldOptions {
    @Option(
            names = "-tx",
            paramLabel = "Q:RETAIN:TOPIC:TOPICS:CLIENTS:THREADS",
            description = "publishers, as in 2015: CLIENTS times THREADS of them")
    private @Nullable String publishers;

    @Option(
            names = "-rx",
            paramLabel = "Q:CLEAN:FILTER:TOPICS:CLIENTS:THREADS",
            description = "subscribers, as in 2015: CLIENTS times THREADS of them")
    private @Nullable String subscribers;

    @Option(names = "-wr", description = "waits until all are ready, as it always does")
    void waitUntilReady(boolean wanted) {
        // It always does.
    }

    @Option(
            names = "-T",
            paramLabel = "MASK",
            description = "kinds of latency, as in 2015; all of them are always measured, so every mask is taken")
    void latencyMask(String mask) {
        OldMasks.check("-T", mask, 0xFF);
    }

    @Option(
            names = "-V",
            paramLabel = "MASK",
            description = "kinds of checks, as in 2015; all of them are always made, so every mask is taken")
    void checkMask(String mask) {
        OldMasks.check("-V", mask, 0x3);
    }

    @Option(names = "--noreconn", description = "a client that is lost stays lost, as it always does")
    void stayAway(boolean wanted) {
        // It always does.
    }

    @Option(
            names = {"-u", "-cu", "-ru"},
            paramLabel = "UNITS",
            description = "units of histograms, such as 1e-6; latencies are kept in nanoseconds, with three digits")
    void units(double units) {
        if (!(units > 0 && units <= 1)) {
            throw new IllegalArgumentException("-u, -cu and -ru are parts of a second, such as 1e-6, not " + units);
        }
    }

    @Option(
            names = "-t",
            paramLabel = "-2|-1|0",
            description = "-1 and -2 for as fast as it goes, like --rate max; 0 for the rate")
    @Nullable Integer pace;

    /** Translates what was given; the options with long names keep the rest. */
    void applyTo(RunOptions options) {
        if (pace != null) {
            if (pace < -2 || pace > 0) {
                throw new IllegalArgumentException("-t is -2, -1 or 0, not " + pace);
            }
            options.rate = pace < 0 ? "max" : options.rate;
        }
        if (publishers != null) {
            String[] words = split("-tx", publishers, "RETAIN", "0:0:/p/t:1:1000:2");
            options.qos = number("-tx", words[0]);
            options.retain = words[1].equals("1");
            options.topic = topicPattern(words[2], options.partitions, ".{n}");
            options.topicsPerProducer = number("-tx", words[3]);
            options.producers = number("-tx", words[4]) * number("-tx", words[5]);
        }
        if (subscribers != null) {
            String[] words = split("-rx", subscribers, "CLEAN", "0:1:/p/#:1:5:2");
            options.consumerQos = number("-rx", words[0]);
            options.isPersistent = words[1].equals("0");
            options.filter = topicPattern(words[2], options.partitions, "");
            options.consumers = number("-rx", words[4]) * number("-rx", words[5]);
            if (number("-rx", words[3]) != 1) {
                throw new IllegalArgumentException("-rx takes one filter per client; use more clients");
            }
        }
    }

    /** With partitions, {@code /p/t} stands for {@code /p0/t.00000000} and so on. */
    private static String topicPattern(String base, int partitions, String suffix) {
        boolean isWild = base.contains("#") || base.contains("+");
        String pattern = isWild ? base : base + suffix;
        if (partitions == 1) {
            return pattern;
        }
        int second = pattern.indexOf('/', 1);
        if (second < 0) {
            throw new IllegalArgumentException("with partitions a topic has two levels, such as /p/t, not " + base);
        }
        return pattern.substring(0, second) + "{p}" + pattern.substring(second);
    }

    private static String[] split(String option, String text, String second, String example) {
        String[] words = text.split(":", -1);
        if (words.length != 6) {
            throw new IllegalArgumentException(option + " is QOS:" + second + ":TOPIC:TOPICS:CLIENTS:THREADS, such as "
                    + example + ", not " + text);
        }
        return words;
    }

    private static int number(String option, String word) {
        try {
            return Math.abs(Integer.parseInt(word));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(option + " has numbers around its topic, not " + word, notANumber);
        }
    }
}
