package dev.avocet.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HtmlReportTest {
    @TempDir
    Path folder;

    @Test
    void shouldBeOnePageThatNeedsNothingElse() throws IOException {
        Path file = folder.resolve("r.html");

        new HtmlReport(List.of(new RunGroup("A", List.of(ResultFileTest.result())))).write(file);

        assertThat(Files.readString(file))
                .startsWith("<!DOCTYPE html>")
                .contains(
                        "class=\"FAILED\"",
                        "lost: 1 of 100",
                        "<polyline",
                        "<title>collector, 2.0 ms: G1New</title>",
                        "Latency by percentile",
                        "kernel")
                .doesNotContain("http:", "https:", "src=", "NaN", "Infinity", "B / A");
    }

    @Test
    void shouldShowWhatElseWasCounted() {
        RunResult result = ResultFileTest.result(Map.of("highWaterMarks", Map.of("/p0/# of c0", 77L)));

        String page = new HtmlReport(List.of(new RunGroup("A", List.of(result)))).page();

        assertThat(page).contains("FANIN: highWaterMarks", "<td>/p0/# of c0</td><td>77</td>");
    }

    @Test
    void shouldMarkTheAxisWhereItSays() {
        // given a run of 1.5 s
        List<RunResult> run = List.of(ResultFileTest.result());

        assertThat(new HtmlReport(List.of(new RunGroup("A", run))).page()).contains(">0.38 s<", ">1.50 s<");
    }

    @Test
    void shouldPutTwoRunsBesideEachOther() {
        List<RunResult> run = List.of(ResultFileTest.result());

        String page = new HtmlReport(List.of(new RunGroup("A", run), new RunGroup("B", run))).page();

        assertThat(page).contains("B / A", "<td>1.00</td>", "A FANIN", "B FANIN");
    }

    @Test
    void shouldEscapeWhatCouldBeMarkup() {
        assertThat(Html.escape("<a href=\"x\">&")).isEqualTo("&lt;a href=&quot;x&quot;&gt;&amp;");
    }
}
