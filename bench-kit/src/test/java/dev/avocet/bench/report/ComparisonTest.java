package dev.avocet.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.avocet.bench.run.Verdict.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonTest {
    @TempDir
    Path folder;

    @Test
    void shouldJudgeWhatDiffersBeyondTheSpreadOfTheRuns() {
        String text = compare(List.of(100.0, 104.0, 98.0, 101.0), List.of(149.0, 152.0, 155.0, 150.0));

        assertThat(line(text, "sent per second")).contains("101 (98 to 104)", "151 (149 to 155)", " better");
    }

    @Test
    void shouldCallTheSameWhatLiesWithinTheSpreadOfTheRuns() {
        String text = compare(List.of(100.0, 140.0, 80.0), List.of(90.0, 150.0, 110.0));

        assertThat(line(text, "sent per second")).endsWith(" same");
    }

    @Test
    void shouldKnowThatLessLatencyIsBetter() {
        assertThat(new Figure("message latency, p99 (us)", List.of()).better()).isEqualTo(Figure.Better.LOWER);
        assertThat(new Figure("received per second", List.of()).better()).isEqualTo(Figure.Better.HIGHER);
        assertThat(new Figure("connections", List.of()).better()).isEqualTo(Figure.Better.NEITHER);
    }

    @Test
    void shouldJudgeNothingByOneRun() {
        String text = compare(List.of(100.0), List.of(200.0));

        assertThat(line(text, "sent per second")).endsWith(" 2.00");
        assertThat(text).contains("nothing is judged: that takes 3 runs of each");
    }

    @Test
    void shouldGiveAnIntervalThatHoldsTheRatio() {
        RatioInterval interval = RatioInterval.of(List.of(10.0, 11.0, 12.0), List.of(20.0, 22.0, 24.0));

        assertThat(interval.ratio()).isCloseTo(2, within(1e-9));
        assertThat(interval.least()).isBetween(20 / 12.0, 2.0);
        assertThat(interval.most()).isBetween(2.0, 24 / 10.0);
        assertThat(interval).isEqualTo(RatioInterval.of(List.of(10.0, 11.0, 12.0), List.of(20.0, 22.0, 24.0)));
    }

    /** Three groups, of which each is held against the first. */
    @Test
    void shouldCompareSeveralWithTheFirst() {
        List<RunGroup> groups =
                List.of(group("A", List.of(100.0)), group("B", List.of(50.0)), group("C", List.of(300.0)));

        assertThat(new Comparison(groups).header()).containsExactly("A", "B", "B / A", "C", "C / A");
        assertThat(new Comparison(groups).rows().get(0).cells()).containsExactly("100", "50", "0.50", "300", "3.00");
    }

    @Test
    void shouldReadBackOneRunOrSeveral() throws IOException {
        Path one = folder.resolve("one.json");
        Path several = folder.resolve("several.json");

        ResultFile.write(List.of(result(1)), one);
        ResultFile.write(List.of(result(1), result(2)), several);

        assertThat(ResultFile.readAll(one)).containsExactly(result(1));
        assertThat(ResultFile.read(one)).isEqualTo(result(1));
        assertThat(ResultFile.readAll(several)).containsExactly(result(1), result(2));
    }

    @Test
    void shouldShowEachOfSeveralRunsAndTheirMedians() {
        StringWriter text = new StringWriter();
        List<Double> rates = new ArrayList<>(List.of(100.0, 300.0, 200.0));

        RunGroup group =
                new TerminalReport(new PrintWriter(text)).repeated("A", 3, () -> result(rates.remove(0)), () -> false);

        assertThat(group.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(text.toString()).containsPattern("(?s)FAILED  FANIN.*FAILED  FANIN.*FAILED  FANIN");
        assertThat(line(text.toString(), "sent per second")).endsWith("200 (100 to 300)");
    }

    private static String compare(List<Double> first, List<Double> second) {
        StringWriter text = new StringWriter();
        new Comparison(List.of(group("A", first), group("B", second))).print(new PrintWriter(text));
        return text.toString();
    }

    private static String line(String text, String name) {
        return text.lines().filter(line -> line.startsWith(name)).findFirst().orElseThrow();
    }

    private static RunGroup group(String name, List<Double> rates) {
        return new RunGroup(name, rates.stream().map(ComparisonTest::result).toList());
    }

    private static RunResult result(double sentPerSecond) {
        RunResult result = ResultFileTest.result();
        return new RunResult(
                result.tool(),
                result.name(),
                result.started(),
                result.verdict(),
                result.settings(),
                result.measuredSeconds(),
                result.intendedPerSecond(),
                sentPerSecond,
                result.receivedPerSecond(),
                result.connectionsPerSecond(),
                result.connections(),
                result.tally(),
                result.latencies(),
                result.percentiles(),
                result.snapshots(),
                result.harness(),
                result.environment(),
                result.counts(),
                List.of(new ServerShare(
                        "somewhere",
                        result.tally(),
                        sentPerSecond,
                        0,
                        result.latencies().get("message"))));
    }
}
