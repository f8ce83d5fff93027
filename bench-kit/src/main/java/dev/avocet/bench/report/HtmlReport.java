package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import dev.avocet.bench.report.PagePlots.Plot;
import dev.avocet.bench.report.PagePlots.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One run, or several beside each other, as a page that needs nothing else. It looks as the console of the broker does,
 * and has its style and its plots within.
 */
public final class HtmlReport {
    private final List<RunGroup> groups;
    private final List<RunResult> results;
    private final PageParts parts = new PageParts();

    /** @param groups the first is what others are compared with */
    public HtmlReport(List<RunGroup> groups) {
        this.groups = List.copyOf(groups);
        results = groups.stream().flatMap(group -> group.runs().stream()).toList();
    }

    public void write(Path file) throws IOException {
        Files.writeString(file, page(), StandardCharsets.UTF_8);
    }

    String page() {
        boolean isComparison = groups.size() > 1;
        RunResult first = results.get(0);
        Markup page = new Markup();
        top(page, isComparison ? "Comparison" : first.tool());
        page.open("main", "id", "content", "class", "content");
        if (isComparison) {
            new ComparisonSections(groups).addTo(page);
        } else {
            new VerdictSections(groups.get(0)).addTo(page);
        }
        LatencyTable.addTo(page, groups);
        parts(page);
        PagePlots plots = results.size() == 1 ? new PagePlots(runs()).ofOne() : new PagePlots(runs()).ofSeveral();
        plots(page, plots.plots());
        asked(page, isComparison);
        for (int i = 0; i < results.size(); i++) {
            counts(
                    page,
                    results.size() == 1 ? "" : label(i) + ": ",
                    results.get(i).counts());
        }
        foot(page);
        page.close("main")
                .open("script", "type", "application/json", "id", "plots")
                .own(plots.json())
                .close("script");
        String outcome = isComparison ? "Comparison" : groups.get(0).outcome().toString();
        return parts.page(outcome + " · " + Words.workload(first), page.toString());
    }

    private void top(Markup page, String title) {
        page.open("header", "class", "top")
                .open("span", "class", "brand")
                .open("img", "class", "mark", "src", parts.iconAddress(), "width", "26", "height", "26", "alt", "")
                .element("span", "Avocet")
                .close("span")
                .element("span", title, "class", "result-title")
                .open("span", "class", "spacer")
                .close("span")
                .element(
                        "button",
                        "Theme: system",
                        "type",
                        "button",
                        "class",
                        "button quiet",
                        "id",
                        "theme",
                        "hidden",
                        "")
                .close("header");
    }

    private List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        for (int group = 0; group < groups.size(); group++) {
            for (RunResult result : groups.get(group).runs()) {
                runs.add(new Run(label(runs.size()), groups.size() == 1 ? runs.size() : group, result));
            }
        }
        return runs;
    }

    /** What a run is called among the others. */
    private String label(int index) {
        if (results.size() == 1) {
            return results.get(0).name();
        }
        if (groups.size() == 1) {
            return "Run " + (index + 1);
        }
        int run = index;
        int group = 0;
        while (run >= groups.get(group).runs().size()) {
            run -= groups.get(group).runs().size();
            group++;
        }
        boolean isAlone = groups.get(group).runs().size() == 1;
        return groups.get(group).name() + (isAlone ? "" : String.valueOf(run + 1));
    }

    /** What each of several servers took. */
    private void parts(Markup page) {
        PageTable table =
                new PageTable(true, List.of("Server", "Sent/s", "Received/s", "Lost", "p50", "p99", "Longest"));
        for (int i = 0; i < results.size(); i++) {
            String of = results.size() == 1 ? "" : label(i) + ", ";
            for (ServerShare part : results.get(i).parts()) {
                table.row(
                        of + part.name(),
                        Words.rate(part.sentPerSecond()),
                        Words.rate(part.receivedPerSecond()),
                        Words.count(part.tally().lost()),
                        Words.time((double) part.latency().p50Ns()),
                        Words.time((double) part.latency().p99Ns()),
                        Words.time((double) part.latency().maxNs()));
            }
        }
        if (!table.isEmpty()) {
            page.element("h2", "At each server", "class", "section-title");
            table.addTo(page, "At each server");
        }
    }

    private static void plots(Markup page, List<Plot> plots) {
        if (plots.isEmpty()) {
            return;
        }
        page.element("h2", "How it went", "class", "section-title").open("div", "class", "plots");
        for (int i = 0; i < plots.size(); i++) {
            String title = plots.get(i).title();
            page.open("section", "class", "card plot")
                    .element("h3", title)
                    .open(
                            "div",
                            "class",
                            "plot-box",
                            "data-plot",
                            String.valueOf(i),
                            "role",
                            "img",
                            "aria-label",
                            title)
                    .close("div")
                    .element("p", "", "class", "plot-note small muted")
                    .close("section");
        }
        page.close("div")
                .open("noscript")
                .element("p", "The plots need JavaScript.", "class", "note note-info")
                .close("noscript");
    }

    /** Options and environment: open where there is one run, else of each when it is opened. */
    private void asked(Markup page, boolean isComparison) {
        if (!isComparison) {
            RunResult first = results.get(0);
            page.open("div", "class", "halves");
            facts(page, "Options", first.settings());
            facts(page, "Environment", first.environment());
            page.close("div");
            return;
        }
        for (int i = 0; i < results.size(); i++) {
            folded(page, label(i) + ": options", results.get(i).settings());
            folded(page, label(i) + ": environment", results.get(i).environment());
        }
    }

    private static void facts(Markup page, String title, Map<String, String> facts) {
        page.open("section", "class", "card facts-card").element("h2", title, "class", "section-title");
        facts(page, facts);
        page.close("section");
    }

    private static void facts(Markup page, Map<String, String> facts) {
        if (facts.isEmpty()) {
            page.element("p", "None were given.", "class", "muted");
            return;
        }
        page.open("dl", "class", "facts");
        facts.forEach((name, value) -> page.element("dt", name).element("dd", value));
        page.close("dl");
    }

    private static void folded(Markup page, String title, Map<String, String> facts) {
        page.open("details", "class", "card facts-card").element("summary", title, "class", "section-title");
        facts(page, facts);
        page.close("details");
    }

    /** What else was counted, such as the broker's own figures and the high-water marks. */
    private static void counts(Markup page, String of, Map<String, Map<String, Long>> counts) {
        counts.forEach((about, figures) -> {
            page.open("details", "class", "card facts-card")
                    .element("summary", of + about, "class", "section-title")
                    .open("dl", "class", "facts");
            figures.forEach((what, count) -> page.element("dt", what).element("dd", Words.count(count)));
            page.close("dl").close("details");
        });
    }

    private static void foot(Markup page) {
        page.open("details", "class", "small muted")
                .element("summary", "About this page")
                .element(
                        "p",
                        String.format(
                                ROOT,
                                "It needs no network and nothing beside it. The plots are drawn by uPlot 1.6.32, which"
                                        + " has this licence:"))
                .element("pre", PageParts.licenceOfPlots(), "tabindex", "0")
                .close("details");
    }
}
