package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.run.Check;
import dev.avocet.bench.run.Verdict;
import dev.avocet.bench.run.Verdict.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What a page of one run, or of its repetitions, opens with: the verdict, what was asked and what came. */
final class VerdictSections {
    private static final String GOOD = "state-good";
    private static final String BAD = "state-bad";

    private final RunGroup group;
    private final List<RunResult> runs;
    private final RunResult first;

    VerdictSections(RunGroup group) {
        this.group = group;
        runs = group.runs();
        first = runs.get(0);
    }

    void addTo(Markup page) {
        verdict(page);
        tiles(page);
        checks(page);
    }

    static String tone(Outcome outcome) {
        return switch (outcome) {
            case PASSED -> GOOD;
            case FAILED -> BAD;
            case INVALID -> "state-warn";
        };
    }

    private static String meaning(Outcome outcome) {
        return switch (outcome) {
            case PASSED -> "Everything that was asked for happened.";
            case FAILED -> "The server did not do what was asked of it.";
            case INVALID -> "The harness did not do its part, so the figures say nothing of the server.";
        };
    }

    private void verdict(Markup page) {
        Outcome outcome = group.outcome();
        page.open("section", "class", "card verdict verdict-" + outcome.name().toLowerCase(ROOT))
                .open("h1")
                .element("span", outcome.toString(), "class", "state " + tone(outcome))
                .text(" ")
                .element("span", Words.workload(first), "class", "verdict-name")
                .close("h1")
                .element("p", meaning(outcome));
        Set<String> reasons = new LinkedHashSet<>();
        for (int i = 0; i < runs.size(); i++) {
            String of = runs.size() == 1 ? "" : "run " + (i + 1) + ": ";
            runs.get(i).verdict().reasons().forEach(reason -> reasons.add(of + reason));
        }
        if (!reasons.isEmpty()) {
            page.open("ul");
            reasons.forEach(reason -> page.element("li", reason));
            page.close("ul");
        }
        String measured = String.format(
                ROOT,
                "%s, begun %s, measured for %s s%s",
                first.tool(),
                Words.moment(first.started()),
                Words.rate(first.measuredSeconds()),
                runs.size() == 1 ? "" : String.format(ROOT, ", %d runs, whose medians are shown", runs.size()));
        page.element("p", measured, "class", "muted small").close("section");
    }

    private void tiles(Markup page) {
        page.open("div", "class", "tiles");
        double asked = first.intendedPerSecond();
        tile(
                page,
                "Sent/s",
                spread(RunResult::sentPerSecond),
                "",
                asked > 0 ? Words.rate(asked) + " asked" : "as many as go");
        Spread received = Spread.of(runs, run -> run.tally().received());
        tile(page, "Received/s", spread(RunResult::receivedPerSecond), "", received.median(Words::rate) + " in all");
        Spread lost = Spread.of(runs, run -> run.tally().lost());
        tile(
                page,
                "Messages lost",
                lost.median(Words::rate),
                lost.most() > 0 ? BAD : "",
                "of " + Words.count(first.tally().expected()) + between(lost.range(Words::rate)));
        if (!first.latencies().isEmpty()) {
            String kind = first.latencies().keySet().iterator().next();
            Spread p50 = latency(kind, LatencySummary::p50Ns);
            tile(page, "Latency, p50", p50.median(Words::time), "", kind + between(p50.range(Words::time)));
            Spread p99 = latency(kind, LatencySummary::p99Ns);
            tile(
                    page,
                    "Latency, p99",
                    p99.median(Words::time),
                    "",
                    "longest " + latency(kind, LatencySummary::maxNs).median(Words::time));
        }
        Spread connected = Spread.of(runs, RunResult::connectionsPerSecond);
        tile(page, "Connections", Words.count(first.connections()), "", connected.median(Words::rate) + " per second");
        Spread busy = Spread.of(runs, run -> run.harness().busiestThreadShare());
        tile(
                page,
                "Busiest thread here",
                busy.median(Words::percent),
                "",
                "own pauses of "
                        + Spread.of(runs, run -> run.harness().longestPauseNs()).median(Words::time) + " at most");
        page.close("div");
    }

    private String spread(ToDoubleFunction<RunResult> figure) {
        return Spread.of(runs, figure).median(Words::rate);
    }

    private Spread latency(String kind, ToDoubleFunction<LatencySummary> figure) {
        return Spread.of(runs, run -> figure.applyAsDouble(run.latencies().getOrDefault(kind, LatencySummary.NONE)));
    }

    private static String between(String range) {
        return range.isEmpty() ? "" : ", " + range;
    }

    private static void tile(Markup page, String title, String value, String tone, String small) {
        page.open("section", "class", "card tile")
                .element("h2", title)
                .element("p", value, "class", ("tile-value " + tone).strip())
                .element("p", small, "class", "tile-small")
                .close("section");
    }

    /** Those that were not kept come first. */
    private void checks(Markup page) {
        Set<String> names = new LinkedHashSet<>();
        Stream.of(false, true)
                .forEach(kept -> all().filter(check -> check.kept() == kept).forEach(check -> names.add(check.what())));
        if (names.isEmpty()) {
            return; // a result of an earlier version
        }
        List<String> titles = new ArrayList<>(List.of("What", "Asked"));
        for (int i = 0; i < runs.size(); i++) {
            titles.add(runs.size() == 1 ? "Came" : "Came in run " + (i + 1));
        }
        titles.add("Kept");
        PageTable table = new PageTable(false, titles);
        names.forEach(name -> table.row(row(name)));
        page.element("h2", "What was asked, and what came", "class", "section-title");
        table.addTo(page, "What was asked, and what came");
    }

    private List<PageTable.Cell> row(String name) {
        List<PageTable.Cell> cells = new ArrayList<>();
        List<Check> ofAll = all().filter(check -> check.what().equals(name)).toList();
        cells.add(PageTable.cell(Words.title(name)));
        cells.add(PageTable.cell(ofAll.get(0).asked()));
        for (RunResult run : runs) {
            cells.add(PageTable.cell(checks(run.verdict())
                    .filter(check -> check.what().equals(name))
                    .map(Check::came)
                    .findFirst()
                    .orElse("")));
        }
        boolean isKept = ofAll.stream().allMatch(Check::kept);
        cells.add(new PageTable.Cell(isKept ? "yes" : "no", isKept ? GOOD : BAD));
        return cells;
    }

    private Stream<Check> all() {
        return runs.stream().flatMap(run -> checks(run.verdict()));
    }

    private static Stream<Check> checks(Verdict verdict) {
        List<Check> checks = verdict.checks();
        return checks == null ? Stream.empty() : checks.stream();
    }
}
