package dev.avocet.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.latency.LatencySummary;
import dev.avocet.bench.latency.Percentile;
import dev.avocet.bench.run.Check;
import dev.avocet.bench.run.HarnessLoad;
import dev.avocet.bench.run.Pause;
import dev.avocet.bench.run.Verdict;
import dev.avocet.bench.run.Verdict.Outcome;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, from a file and without a network. */
@InTurn
final class HtmlPageTest {
    private static final int FIRST_CURVE = 0x0f766e;
    private static final int SECOND_CURVE = 0xc2660a;
    /** That of a collector's pause, where it shows through on white. */
    private static final int PAUSE = 0xdec6a8;
    /** What says that a run failed. */
    private static final int BAD = 0xb42318;

    /** Several plots, each hundreds of pixels wide. */
    private static final int PIXELS_OF_CURVES = 2_000;

    /** A browser that was stopped may still write to its profile. */
    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder;

    @Test
    void shouldShowThePlotsOfARun() throws IOException, InterruptedException {
        Browser.Sight sight = show(new RunGroup("A", List.of(result(1))));

        assertThat(sight.complaints()).isEmpty();
        assertThat(sight.pixels(FIRST_CURVE)).isGreaterThan(PIXELS_OF_CURVES);
        assertThat(sight.pixels(SECOND_CURVE)).isGreaterThan(1_000);
        assertThat(sight.pixels(PAUSE)).isGreaterThan(500);
        assertThat(sight.pixels(BAD)).isGreaterThan(500);
    }

    @Test
    void shouldShowTwoServersBesideEachOther() throws IOException, InterruptedException {
        Browser.Sight sight = show(new RunGroup("A", List.of(result(1))), new RunGroup("B", List.of(result(1.5))));

        assertThat(sight.complaints()).isEmpty();
        assertThat(sight.pixels(FIRST_CURVE)).isGreaterThan(PIXELS_OF_CURVES);
        assertThat(sight.pixels(SECOND_CURVE)).isGreaterThan(PIXELS_OF_CURVES);
    }

    /** Of options, server names and causes of pauses, none of which the harness chooses. */
    @Test
    void shouldShowMarkupOfOthersAsText() throws IOException, InterruptedException {
        String evil = "</script></style><script>console.error('ran')</script><img src=x onerror=\"console.error(1)\">";
        RunResult one = result(1);
        RunResult result = new RunResult(
                evil,
                evil,
                evil,
                new Verdict(Outcome.FAILED, List.of(evil), List.of(new Check(evil, evil, evil, false))),
                Map.of(evil, evil),
                60,
                100,
                100,
                100,
                5,
                10,
                one.tally(),
                Map.of(evil, latency(1)),
                one.percentiles(),
                one.snapshots(),
                new HarnessLoad(0.5, 0.7, 1, 1, List.of(new Pause(evil, evil, 3, 200_000_000, evil))),
                Map.of(evil, evil),
                Map.of(evil, Map.of(evil, 1L)),
                List.of(new ServerShare(evil, one.tally(), 1, 1, latency(1))));

        Browser.Sight sight = show(new RunGroup(evil, List.of(result), evil));
        Browser.Sight compared =
                show(new RunGroup(evil, List.of(result), evil), new RunGroup("B", List.of(result(1.5)), evil));

        assertThat(sight.complaints()).isEmpty();
        assertThat(compared.complaints()).isEmpty();
        assertThat(sight.pixels(FIRST_CURVE)).isGreaterThan(PIXELS_OF_CURVES);
        assertThat(compared.pixels(SECOND_CURVE)).isGreaterThan(PIXELS_OF_CURVES);
    }

    /** What the other tests rely on. */
    @Test
    void shouldHearWhatAPageComplainsOf() throws IOException, InterruptedException {
        Path page = folder.resolve("broken.html");
        Files.writeString(page, "<!DOCTYPE html><title>broken</title><script>nothing.there()</script>");

        Browser.Sight sight = new Browser(folder).open(page);

        assertThat(sight.complaints()).anySatisfy(text -> assertThat(text).contains("ReferenceError"));
        assertThat(sight.pixels(FIRST_CURVE)).isZero();
    }

    private Browser.Sight show(RunGroup... groups) throws IOException, InterruptedException {
        Path page = folder.resolve("page.html");
        new HtmlReport(List.of(groups)).write(page);
        return new Browser(folder).open(page);
    }

    private static RunResult result(double factor) {
        RunResult one = ResultFileTest.result();
        List<Snapshot> snapshots = IntStream.rangeClosed(1, 60)
                .mapToObj(second -> snapshot(second, factor))
                .toList();
        List<Percentile> percentiles = IntStream.range(0, 50)
                .mapToObj(i -> new Percentile(100 - Math.pow(0.8, i) * 100, (long) ((i + 2) * 50_000 * factor)))
                .toList();
        List<Pause> pauses = IntStream.range(0, 5)
                .mapToObj(i -> new Pause(Pause.COLLECTOR, "G1New, Allocation", 10 * i + 3, 200_000_000))
                .toList();
        return new RunResult(
                one.tool(),
                one.name(),
                one.started(),
                one.verdict(),
                one.settings(),
                60,
                100,
                100,
                100,
                5,
                10,
                one.tally(),
                Map.of("message", latency(factor)),
                percentiles,
                snapshots,
                new HarnessLoad(0.5, 0.7, 200_000_000, 1_000_000_000, pauses),
                one.environment(),
                Map.of(),
                List.of());
    }

    private static Snapshot snapshot(int second, double factor) {
        double wave = 1 + 0.5 * Math.sin(second * 0.7);
        return new Snapshot(
                "measure", second, 10, 100, 100 * factor * wave, (long) (30 * factor * wave), latency(factor * wave));
    }

    private static LatencySummary latency(double factor) {
        long ns = (long) (1e6 * factor);
        return new LatencySummary(10, ns, 2 * ns, ns / 2, ns, 2 * ns, 3 * ns, 4 * ns, 5 * ns, 6 * ns, 7 * ns, 8 * ns);
    }
}
