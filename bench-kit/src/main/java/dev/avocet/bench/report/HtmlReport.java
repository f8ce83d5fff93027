package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.latency.Percentile;
import dev.avocet.bench.run.Pause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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
    private static final double SECOND_NS = 1e9;
    private static final String COLLECTOR_COLOUR = "#e36209";
    private static final String SAFEPOINT_COLOUR = "#999999";

    private final List<RunGroup> groups;
    private final List<RunResult> results;

    /** @param groups the first is what others are compared with */
    public HtmlReport(List<RunGroup> groups) {
        this.groups = List.copyOf(groups);
        results = groups.stream().flatMap(group -> group.runs().stream()).toList();
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
        latencyOverTime(out, "median", LatencySummary::p50Ns);
        latencyOverTime(out, "99th percentile", LatencySummary::p99Ns);
        latencyOverTime(out, "longest", LatencySummary::maxNs);
        for (int i = 0; i < results.size(); i++) {
            counts(out, label(i), results.get(i).counts());
            facts(out, label(i) + ": settings", results.get(i).settings());
            facts(out, label(i) + ": environment", results.get(i).environment());
        }
        return out.append("</body></html>\n").toString();
    }

    private String label(int index) {
        String name = results.get(index).name();
        if (results.size() == 1) {
            return name;
        }
        int run = index;
        int group = 0;
        while (run >= groups.get(group).runs().size()) {
            run -= groups.get(group).runs().size();
            group++;
        }
        boolean isAlone = groups.get(group).runs().size() == 1;
        return groups.get(group).name() + (isAlone ? "" : String.valueOf(run + 1)) + " " + name;
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
        Comparison comparison = new Comparison(groups);
        out.append("<table><tr><th></th>");
        comparison.header().forEach(text -> cell(out, "th", text));
        out.append("</tr>\n");
        for (Comparison.Row row : comparison.rows()) {
            out.append("<tr>");
            cell(out, "td", row.name());
            row.cells().forEach(text -> cell(out, "td", text));
            out.append("</tr>\n");
        }
        out.append("</table>\n");
        results.forEach(result -> parts(out, result.parts()));
    }

    private static void cell(StringBuilder out, String element, String text) {
        out.append(String.format(ROOT, "<%s>%s</%s>", element, Html.escape(text), element));
    }

    private static void parts(StringBuilder out, List<Part> parts) {
        if (parts.isEmpty()) {
            return;
        }
        out.append("<table><tr>");
        List.of("at", "sent/s", "received/s", "lost", "p50", "p99", "longest").forEach(text -> cell(out, "th", text));
        out.append("</tr>\n");
        for (Part part : parts) {
            out.append("<tr>");
            cell(out, "td", part.name());
            cell(out, "td", Figure.text(part.sentPerSecond()));
            cell(out, "td", Figure.text(part.receivedPerSecond()));
            cell(out, "td", String.valueOf(part.tally().lost()));
            cell(out, "td", TerminalReport.time(part.latency().p50Ns()));
            cell(out, "td", TerminalReport.time(part.latency().p99Ns()));
            cell(out, "td", TerminalReport.time(part.latency().maxNs()));
            out.append("</tr>\n");
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

    /** With the times in which the harness stood still, whose latency is not the server's. */
    private void latencyOverTime(StringBuilder out, String which, ToDoubleFunction<LatencySummary> valueNs) {
        LinePlot plot = new LinePlot("Latency, " + which + " (ms)", seconds -> seconds, y -> y);
        results.stream().flatMap(result -> result.harness().pauses().stream()).forEach(pause -> band(plot, pause));
        overTime(out, plot, snapshot -> valueNs.applyAsDouble(snapshot.latency()) / MS_NS);
    }

    private static void band(LinePlot plot, Pause pause) {
        String where = "".equals(pause.agent()) ? "" : " of agent " + pause.agent();
        String text = String.format(
                ROOT, "%s%s, %.1f ms: %s", pause.kind(), where, pause.durationNs() / MS_NS, pause.cause());
        String colour = pause.kind().equals(Pause.COLLECTOR) ? COLLECTOR_COLOUR : SAFEPOINT_COLOUR;
        plot.band(pause.seconds(), pause.seconds() + pause.durationNs() / SECOND_NS, colour, text);
    }

    private void overTime(StringBuilder out, String title, ToDoubleFunction<Snapshot> value) {
        overTime(out, new LinePlot(title, seconds -> seconds, y -> y), value);
    }

    private void overTime(StringBuilder out, LinePlot plot, ToDoubleFunction<Snapshot> value) {
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
        plot.include(0, 0);
        for (int i = 0; i <= 4; i++) {
            plot.xTick(maxX * i / 4, Figure.text(maxX * i / 4) + " s");
            plot.yTick(maxY * i / 4, Figure.text(maxY * i / 4));
        }
        out.append(plot.svg());
    }

    /** What else was counted, such as the broker's own figures and the high-water marks. */
    private static void counts(StringBuilder out, String label, Map<String, Map<String, Long>> counts) {
        counts.forEach((about, figures) -> {
            Map<String, String> facts = new LinkedHashMap<>();
            figures.forEach((what, count) -> facts.put(what, String.valueOf(count)));
            facts(out, label + ": " + about, facts);
        });
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
