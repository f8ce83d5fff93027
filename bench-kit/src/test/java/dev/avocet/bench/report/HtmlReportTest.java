package dev.avocet.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.bench.run.Check;
import dev.avocet.bench.run.Verdict;
import dev.avocet.bench.run.Verdict.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
                        "verdict-failed",
                        "lost: 1 of 100",
                        "Latency by percentile",
                        "collector, 2.00 ms: G1New",
                        "kernel",
                        "Copyright (c) 2022 Leon Sorokin")
                .doesNotContain(" src=\"h", " href=\"h", "@import", "url(", "NaN", "Infinity", "B / A");
    }

    /** Nothing within the page runs or loads but what its policy names by its hash. */
    @Test
    void shouldLetNothingRunButWhatItNamesByItsHash() throws NoSuchAlgorithmException {
        String page = page(ResultFileTest.result());

        Matcher policy = Pattern.compile("Content-Security-Policy\" content=\"([^\"]*)\"")
                .matcher(page);
        assertThat(policy.find()).isTrue();
        assertThat(policy.group(1))
                .startsWith("default-src 'none'; style-src 'sha256-")
                .doesNotContain("unsafe");
        Matcher inline = Pattern.compile("<(?:style|script)>(.*?)</(?:style|script)>", Pattern.DOTALL)
                .matcher(page);
        int found = 0;
        while (inline.find()) {
            found++;
            assertThat(policy.group(1)).contains("'sha256-" + hash(inline.group(1)) + "'");
        }
        assertThat(found).isEqualTo(3);
        assertThat(page).doesNotContainPattern("<[a-z]+ [^>]*\\b(style|on[a-z]+)=");
    }

    @Test
    void shouldOpenWithTheVerdictAndThenShowWhatWasAskedAndWhatCame() {
        // given
        List<Check> checks =
                List.of(new Check("doubled", "none", "0", true), new Check("lost", "none", "1 of 100", false));

        // when
        String page = page(judged(new Verdict(Outcome.FAILED, List.of("lost: 1 of 100"), checks)));

        // then
        assertThat(body(page))
                .containsSubsequence(
                        ">FAILED</span>",
                        "What was asked, and what came",
                        ">Lost</td>",
                        ">none</td>",
                        ">1 of 100</td>",
                        ">Doubled</td>",
                        "Latency",
                        "How it went",
                        "Options",
                        "Environment");
    }

    /** A row for each kind, a column for each percentile. */
    @Test
    void shouldShowTheLatenciesAsOneTable() {
        assertThat(page(ResultFileTest.result()))
                .containsPattern("(?s)>p50</th>.*>p99.99</th>.*>Message</td>.*data-title=\"p99.9\">9.00 µs</td>");
    }

    @Test
    void shouldShowAResultOfAnEarlierVersionWithoutChecks() {
        assertThat(page(judged(new Verdict(Outcome.PASSED, List.of()))))
                .contains("verdict-passed")
                .doesNotContain("What was asked, and what came");
    }

    @Test
    void shouldShowWhatElseWasCounted() {
        RunResult result = ResultFileTest.result(Map.of("highWaterMarks", Map.of("/p0/# of c0", 77L)));

        String page = new HtmlReport(List.of(new RunGroup("A", List.of(result)))).page();

        assertThat(page).contains(">highWaterMarks</summary>").containsPattern("<dt>/p0/# of c0</dt>\\s*<dd>77</dd>");
    }

    /** What is not the same comes first, of figures as of options. */
    @Test
    void shouldShowFirstWhatDiffers() {
        // given
        RunResult one = ResultFileTest.result();
        RunResult other = new RunResult(
                one.tool(),
                one.name(),
                one.started(),
                one.verdict(),
                Map.of("rate", "200"),
                one.measuredSeconds(),
                200,
                one.sentPerSecond(),
                2 * one.receivedPerSecond(),
                one.connectionsPerSecond(),
                one.connections(),
                one.tally(),
                one.latencies(),
                one.percentiles(),
                one.snapshots(),
                one.harness(),
                Map.of("kernel", "Linux", "load average", "7"),
                one.counts(),
                List.of());

        // when
        String page = new HtmlReport(
                        List.of(new RunGroup("A", List.of(one), "a.json"), new RunGroup("B", List.of(other), "b.json")))
                .page();

        // then
        assertThat(body(page))
                .containsSubsequence(
                        "a.json",
                        "b.json",
                        ">What differs</h2>",
                        ">Received per second</td>",
                        ">2.00</td>",
                        "Nothing is judged",
                        ">What was asked differently, or elsewhere</h2>",
                        ">rate</td>",
                        ">100</td>",
                        ">200</td>",
                        ">What is about the same</h2>",
                        ">Sent per second</td>")
                .doesNotContain("environment: kernel", "environment: load average");
    }

    @Test
    void shouldPutTwoRunsBesideEachOther() {
        List<RunResult> run = List.of(ResultFileTest.result());

        String page = new HtmlReport(List.of(new RunGroup("A", run), new RunGroup("B", run))).page();

        assertThat(page)
                .contains(
                        "B / A",
                        ">1.00</td>",
                        ">Message, A</td>",
                        ">Message, B</td>",
                        "The options and the environment are the same.");
    }

    @Test
    void shouldEscapeWhatCouldBeMarkup() {
        assertThat(Markup.escape("<a href=\"x\">&")).isEqualTo("&lt;a href=&quot;x&quot;&gt;&amp;");
    }

    private static String page(RunResult result) {
        return new HtmlReport(List.of(new RunGroup("A", List.of(result)))).page();
    }

    /** What is between the style and the scripts, as texts of a hundred kilobytes are searched slowly. */
    private static String body(String page) {
        return page.substring(page.indexOf("<main"), page.indexOf("</main>"));
    }

    private static RunResult judged(Verdict verdict) {
        RunResult one = ResultFileTest.result();
        return new RunResult(
                one.tool(),
                one.name(),
                one.started(),
                verdict,
                one.settings(),
                one.measuredSeconds(),
                one.intendedPerSecond(),
                one.sentPerSecond(),
                one.receivedPerSecond(),
                one.connectionsPerSecond(),
                one.connections(),
                one.tally(),
                one.latencies(),
                one.percentiles(),
                one.snapshots(),
                one.harness(),
                one.environment(),
                one.counts(),
                List.of());
    }

    private static String hash(String text) throws NoSuchAlgorithmException {
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }
}
