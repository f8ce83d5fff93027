package dev.avocet.core.store;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sorts samples by what happened meanwhile, and shows them. A sample counts for everything that it met; one that is
 * mostly GC for that.
 */
final class PauseReport {
    private static final Set<PauseKind> STORE = EnumSet.complementOf(EnumSet.of(PauseKind.GC));
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(10);

    private final Map<PauseKind, List<Spans.Span>> events = new EnumMap<>(PauseKind.class);
    private final Map<PauseKind, Row> rows = new EnumMap<>(PauseKind.class);
    private final Row quiet = new Row();
    private final Row all = new Row();

    PauseReport(Map<PauseKind, Spans> happened, long fromNs, PauseSamples turns, PauseSamples commits) {
        happened.forEach((kind, spans) -> {
            events.put(kind, spans.since(fromNs));
            rows.put(kind, new Row());
        });
        sort(turns, fromNs, true);
        sort(commits, fromNs, false);
    }

    /** Pauses of the loop while this happened; all but those of the JVM for null. */
    Histogram turns(@Nullable PauseKind kind) {
        return kind == null ? all.turns : rows.get(kind).turns;
    }

    /** Pauses of the loop while the store did nothing but force: the machine's own. */
    Histogram otherTurns() {
        return quiet.turns;
    }

    int count(PauseKind kind) {
        return events.get(kind).size();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-11s %6s %8s | %8s %8s %8s %8s | %8s %8s %8s %8s  (ms)%n",
                "meanwhile",
                "events",
                "longest",
                "turn p50",
                "p99",
                "p99.9",
                "max",
                "comm p50",
                "p99",
                "p99.9",
                "max"));
        rows.forEach((kind, row) -> {
            long longestNs = events.get(kind).stream()
                    .mapToLong(Spans.Span::lengthNs)
                    .max()
                    .orElse(0);
            text.append(line(kind.name(), Integer.toString(count(kind)), ms(longestNs), row));
        });
        text.append(line("nothing", "", "", quiet));
        return text.append(line("all but GC", "", "", all)).toString();
    }

    private static String line(String name, String count, String longest, Row row) {
        return String.format(
                Locale.ROOT, "%-11s %6s %8s | %s | %s%n", name, count, longest, shown(row.turns), shown(row.commits));
    }

    private static String shown(Histogram series) {
        return String.format(
                Locale.ROOT,
                "%8s %8s %8s %8s",
                ms(series.getValueAtPercentile(50)),
                ms(series.getValueAtPercentile(99)),
                ms(series.getValueAtPercentile(99.9)),
                ms(series.getMaxValue()));
    }

    private static String ms(long ns) {
        return String.format(Locale.ROOT, "%.2f", ns / 1e6);
    }

    private void sort(PauseSamples samples, long fromNs, boolean isTurn) {
        for (int i = 0; i < samples.size(); i++) {
            if (samples.beginNs(i) - fromNs >= 0) {
                sort(samples.beginNs(i), samples.endNs(i), isTurn);
            }
        }
    }

    private void sort(long beginNs, long endNs, boolean isTurn) {
        long lengthNs = endNs - beginNs;
        if (2 * metNs(events.get(PauseKind.GC), beginNs, endNs) > lengthNs) {
            rows.get(PauseKind.GC).add(lengthNs, isTurn);
            return;
        }
        all.add(lengthNs, isTurn);
        boolean isQuiet = true;
        for (PauseKind kind : STORE) {
            if (metNs(events.get(kind), beginNs, endNs) > 0) {
                rows.get(kind).add(lengthNs, isTurn);
                isQuiet &= kind == PauseKind.FORCE;
            }
        }
        if (isQuiet) {
            quiet.add(lengthNs, isTurn);
        }
    }

    /** For how long of the time between the two this happened. The spans are in order and do not overlap. */
    private static long metNs(List<Spans.Span> spans, long beginNs, long endNs) {
        int low = 0;
        int high = spans.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).endNs() - beginNs < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        long met = 0;
        for (int i = low; i < spans.size() && spans.get(i).beginNs() - endNs < 0; i++) {
            met += Math.min(endNs, spans.get(i).endNs())
                    - Math.max(beginNs, spans.get(i).beginNs());
        }
        return met;
    }

    private static final class Row {
        final Histogram turns = new Histogram(1, HIGHEST_NS, 2);
        final Histogram commits = new Histogram(1, HIGHEST_NS, 2);

        void add(long lengthNs, boolean isTurn) {
            (isTurn ? turns : commits).recordValue(Math.max(0, Math.min(lengthNs, HIGHEST_NS)));
        }
    }
}
