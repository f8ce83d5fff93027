package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import dev.avocet.bench.latency.Percentile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** One run, or several beside each other, as a page that needs nothing else: tables, and plots as SVG. */
public final class HtmlReport {
    private static final String STYLE = """
            body{font:14px/1.4 sans-serif;margin:2em auto;max-width:1000px;color:#222}
            table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:right}
            td:first-child,th:first-child{text-align:left}svg{width:100%;height:auto}svg text{font:11px sans-serif}
            figure{margin:1.5em 0}figcaption{font-weight:bold}.PASSED{color:#1a7f37}.FAILED,.INVALID{color:#b3261e}
            details td{text-align:left;overflow-wrap:anywhere}
            """;
    private static final double MOST_NINES = 6;
    private static final double MS_NS = 1e6;

    private final List<RunResult> results;

    /** @param results the first is what others are compared with */
    public HtmlReport(List<RunResult> results) {
        this.results = List.copyOf(results);
    }

    public void write(Path file) throws IOException {
        Files.writeString(file, page(), StandardCharsets.UTF_8);
    }

    String page() {
        StringBuilder out =
                new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
        out.append(Html.escape(results.get(0).name()))
                .append("</title><style>")
                .append(STYLE)
                .append("</style></head><body>\n");
        results.forEach(result -> verdict(out, result));
        figures(out);
        out.append(percentiles().svg());
        overTime(out, "Messages received per second", Snapshot::receivedPerSecond);
        overTime(out, "Messages under way", snapshot -> (double) snapshot.underWay());
        overTime(out, "Latency, median (ms)", snapshot -> snapshot.latency().p50Ns() / MS_NS);
        overTime(
                out,
                "Latency, 99th percentile (ms)",
                snapshot -> snapshot.latency().p99Ns() / MS_NS);
        overTime(out, "Latency, longest (ms)", snapshot -> snapshot.latency().maxNs() / MS_NS);
        for (int i = 0; i < results.size(); i++) {
            facts(out, label(i) + ": settings", results.get(i).settings());
            facts(out, label(i) + ": environment", results.get(i).environment());
        }
        return out.append("</body></html>\n").toString();
    }

    private String label(int index) {
        String name = results.get(index).name();
        return results.size() == 1 ? name : (char) ('A' + index) + " " + name;
    }

    private static void verdict(StringBuilder out, RunResult result) {
        out.append(String.format(
                ROOT,
                "<h1>%s <span class=\"%s\">%s</span></h1><p>%s, %s</p><ul>",
                Html.escape(result.name()),
                result.verdict().outcome(),
                result.verdict().outcome(),
                Html.escape(result.tool()),
                Html.escape(result.started())));
        result.verdict()
                .reasons()
                .forEach(
                        reason -> out.append("<li>").append(Html.escape(reason)).append("</li>"));
        out.append("</ul>\n");
    }

    private void figures(StringBuilder out) {
        out.append("<table><tr><th></th>");
        for (int i = 0; i < results.size(); i++) {
            out.append("<th>").append(Html.escape(label(i))).append("</th>");
        }
        out.append(results.size() == 2 ? "<th>B / A</th></tr>\n" : "</tr>\n");
        for (Figure figure : Figure.of(results)) {
            out.append("<tr><td>").append(Html.escape(figure.name())).append("</td>");
            figure.values()
                    .forEach(value ->
                            out.append("<td>").append(Figure.text(value)).append("</td>"));
            out.append(results.size() == 2 ? "<td>" + figure.ratio() + "</td></tr>\n" : "</tr>\n");
        }
        out.append("</table>\n");
    }

    /** By the nines of the percentile, so that its end has room. */
    private LinePlot percentiles() {
        LinePlot plot = new LinePlot("Latency by percentile", HtmlReport::nines, ns -> Math.log10(Math.max(1, ns)));
        for (int i = 0; i < results.size(); i++) {
            plot.curve(label(i));
            for (Percentile point : results.get(i).percentiles()) {
                plot.add(point.percent(), (double) point.latencyNs());
            }
        }
        for (double percent : new double[] {0, 90, 99, 99.9, 99.99, 99.999}) {
            plot.xTick(percent, String.format(ROOT, "%s %%", percent));
        }
        for (double ns = 1_000; ns <= 1e11; ns *= 10) {
            plot.yTick(ns, TerminalReport.time((long) ns));
        }
        return plot;
    }

    private static double nines(double percent) {
        return Math.min(MOST_NINES, -Math.log10(Math.max(1e-9, 1 - percent / 100)));
    }

    private void overTime(StringBuilder out, String title, ToDoubleFunction<Snapshot> value) {
        LinePlot plot = new LinePlot(title, seconds -> seconds, y -> y);
        double maxX = 0;
        double maxY = 0;
        for (int i = 0; i < results.size(); i++) {
            plot.curve(label(i));
            for (Snapshot snapshot : results.get(i).snapshots()) {
                plot.add(snapshot.seconds(), value.applyAsDouble(snapshot));
                maxX = Math.max(maxX, snapshot.seconds());
                maxY = Math.max(maxY, value.applyAsDouble(snapshot));
            }
        }
        if (plot.isEmpty()) {
            return;
        }
        for (int i = 0; i <= 4; i++) {
            plot.xTick(maxX * i / 4, String.format(ROOT, "%.0f s", maxX * i / 4));
            plot.yTick(maxY * i / 4, Figure.text(maxY * i / 4));
        }
        out.append(plot.svg());
    }

    private static void facts(StringBuilder out, String title, Map<String, String> facts) {
        out.append("<details><summary>").append(Html.escape(title)).append("</summary><table>");
        out.append(facts.entrySet().stream()
                .map(fact -> "<tr><td>" + Html.escape(fact.getKey()) + "</td><td>" + Html.escape(fact.getValue())
                        + "</td></tr>")
                .collect(Collectors.joining("\n")));
        out.append("</table></details>\n");
    }
}
